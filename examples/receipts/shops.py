"""The invented world of the receipts: eight shops, their menus, and how each currency is printed.

Data only. Prices are in the smallest unit of the currency: cents, or whole yen and rupiah. Tax is added
to the subtotal; cash is paid in multiples of `banknote`.
"""

from __future__ import annotations

from typing import NamedTuple


class Notation(NamedTuple):
    """How tills print a currency, and what they add to a bill."""

    mark: str
    decimals: int
    thousands: str
    point: str
    tax_percent: int
    banknote: int


class Shop(NamedTuple):
    """A shop and its menu: item name to price."""

    name: str
    currency: str
    menu: dict[str, int]


NOTATIONS = {
    "EUR": Notation("EUR ", 2, ".", ",", 10, 500),
    "CHF": Notation("Fr. ", 2, "'", ".", 8, 1000),
    "USD": Notation("$", 2, ",", ".", 7, 500),
    "INR": Notation("Rs. ", 2, ",", ".", 5, 10000),
    "JPY": Notation("¥", 0, ",", ".", 8, 1000),
    "IDR": Notation("Rp ", 0, ".", ",", 11, 50000),
}

SHOPS = (
    Shop("Padaria Lua Clara", "EUR", {
        "Pastel de nata": 140, "Galão (L)": 195, "Tosta mista": 390, "Pão de centeio": 275,
        "Sumo de laranja (M)": 325, "Bolo de arroz": 160, "Chá verde": 155, "Queijada": 170,
    }),
    Shop("Trattoria Sette Gatti", "EUR", {
        "Pizza Margherita": 850, "Tagliatelle al ragù": 1190, "Acqua naturale 0.5l": 250, "Tiramisù": 610,
        "Insalata mista": 560, "Espresso": 180, "Calzone (piccolo)": 790, "Coperto": 220,
    }),
    Shop("Kiosk Sonnenhügel", "EUR", {
        "Laugenbrezel": 135, "Apfelschorle 0.4l": 350, "Käsespätzle": 980, "Tageszeitung": 290,
        "Butterkuchen": 240, "Filterkaffee (groß)": 315, "Postkarte": 120, "Brötchen mit Ei": 285,
    }),
    Shop("Berghaus Enzian", "CHF", {
        "Älplermagronen": 2350, "Rivella rot 3dl": 520, "Gerstensuppe": 1290, "Nussgipfel": 480,
        "Fondue (2 Pers.)": 5890, "Mehrbettzimmer": 4650, "Kafi Luz": 750, "Salat (klein)": 890,
    }),
    Shop("Harbor & Finch Diner", "USD", {
        "Buttermilk pancakes": 1145, "Clam chowder (bowl)": 975, "Fisherman's sandwich": 1380,
        "Ginger soda (L)": 325, "Corn muffin": 295, "Side of bacon": 450, "Drip coffee": 275,
        "Blueberry pie": 685,
    }),
    Shop("Saffron Lane Canteen", "INR", {
        "Masala dosa": 14500, "Paneer tikka roll": 19050, "Filter coffee": 6075, "Lemon rice": 12025,
        "Mango lassi (L)": 11500, "Idli sambar (2 pcs)": 8550, "Plain water": 2000, "Family thali": 129900,
    }),
    Shop("Minato Noodle Hall", "JPY", {
        "Shoyu ramen": 980, "Miso ramen (L)": 1240, "Gyoza (6 pcs)": 430, "Cold soba": 870,
        "Soft-boiled egg": 130, "Barley tea": 210, "Extra noodles": 160, "Yuzu sorbet": 380,
    }),
    Shop("Warung Bintang Sore", "IDR", {
        "Nasi kuning komplit": 33250, "Sate jamur (10 pcs)": 41750, "Es kelapa muda": 18250,
        "Gado-gado kecil": 23750, "Pisang bakar": 16750, "Kopi tubruk": 13250, "Kerupuk udang": 6250,
        "Sambal kemiri": 9250,
    }),
)  # fmt: skip
