"""The currencies of ISO 4217 and the signs they are written by.

A sign stands for every currency that is written by it: `$` for some twenty dollars and pesos, `US$` for
one. Whether two amounts are in the same currency is decided on these sets: disjoint means different;
one code each, or the same sign, means the same; anything between is for the user to state.
"""

from __future__ import annotations

from typing import Final

CODES: Final = frozenset(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
    BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
    GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW
    KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD
    NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
    SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED
    VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG
    """.split()  # noqa: SIM905 - a list of so many would take a page
)
"""The codes in use."""

_DOLLARS: Final = "USD AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD NAD NZD SBD SGD SRD TTD TWD XCD"
_PESOS: Final = "ARS CLP COP CUP DOP MXN UYU"
_POUNDS: Final = "GBP EGP FKP GIP LBP SDG SHP SSP SYP"
_KRONER: Final = "DKK ISK NOK SEK"
_RUPEES: Final = "INR LKR MUR NPR PKR SCR"

SIGNS: Final[dict[str, frozenset[str]]] = {
    sign: frozenset(codes.split())
    for signs, codes in (
        ("$", f"{_DOLLARS} {_PESOS}"),
        ("dollar|dollars", _DOLLARS),
        ("us$|u.s.$|us dollar|us dollars", "USD"),
        ("a$|au$|australian dollar|australian dollars", "AUD"),
        ("c$|ca$|canadian dollar|canadian dollars", "CAD"),
        ("hk$", "HKD"),
        ("nz$", "NZD"),
        ("s$", "SGD"),
        ("nt$", "TWD"),
        ("mx$", "MXN"),
        ("r$|reais", "BRL"),
        ("\u20ac|euro|euros", "EUR"),
        ("\u00a3|\uffe1|pound|pounds", _POUNDS),
        ("pound sterling|pounds sterling", "GBP"),
        ("\u00a5|\uffe5", "JPY CNY"),
        ("\u5186|yen", "JPY"),
        ("\u5143|rmb|yuan", "CNY"),
        ("kr", _KRONER),
        ("fr|sfr|swiss franc|swiss francs", "CHF"),
        ("rs|rupee|rupees|\u20a8", _RUPEES),
        ("\u20b9", "INR"),
        ("z\u0142", "PLN"),
        ("k\u010d", "CZK"),
        ("ft", "HUF"),
        ("\u20bd", "RUB"),
        ("\u20b4", "UAH"),
        ("\u20ba", "TRY"),
        ("\u20a9|\uffe6|won", "KRW KPW"),
        ("\u20aa", "ILS"),
        ("\u20ab", "VND"),
        ("\u20b1", "PHP CUP"),
        ("\u0e3f", "THB"),
        ("\u20a6", "NGN"),
    )
    for sign in signs.split("|")
}
"""A sign or word in lower case to the currencies it may stand for."""


def currencies(sign: str) -> frozenset[str] | None:
    """The currencies that a code, sign or word may stand for, or None for no currency.

    >>> sorted(currencies("yen"))
    ['JPY']
    """
    name = sign.strip(". ")
    if name.upper() in CODES:
        return frozenset({name.upper()})
    return SIGNS.get(name.lower())
