"""The command `fieldwise`, also as `python -m fieldwise`: quiet when it is interrupted while it loads."""

import sys


def main() -> None:
    """Run the command, and exit."""
    try:
        from fieldwise.cli import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
