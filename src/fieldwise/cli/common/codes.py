"""What a command returns.

| code | when |
|---|---|
| 0 | passed |
| 1 | below a bar, or nothing graded |
| 2 | unusable: options, the file, a judge that cannot be imported, output that cannot be written |
| 130 | interrupted; what was done until then is reported and kept |
"""

from __future__ import annotations

from typing import Final

PASSED: Final = 0
BELOW: Final = 1
UNUSABLE: Final = 2
INTERRUPTED: Final = 130
