"""The charset of bytes: mark, wide NULs, real UTF-8, header, declaration, detection, cp1252."""

import pytest

from pytest_wandr.evidence import find_excerpt, read_page
from pytest_wandr.evidence.charset import to_utf8

JAPANESE = "市立博物館は来春に写本を公開する予定であると発表しました。入場料は大人八百円です。"
CHINESE_S = "这个图书馆是在一九五二年建成的，我们可以在那里看到很多书，也有不少人来学习。"
CHINESE_T = "這個圖書館是在一九五二年建成的，我們可以在那裡看到很多書，也有不少人來學習。"
KOREAN = "한내시 도서관은 육십이년에 문을 열었고 지금은 많은 사람이 이용하는 장소가 되었다고 한다."
RUSSIAN = "Библиотека открыта с десяти до девятнадцати часов, в фонде сто двадцать тысяч томов."
GREEK = "Το μουσείο ανοίγει κάθε Τρίτη και η είσοδος είναι δωρεάν για τους μαθητές του δήμου."
HEBREW = "המוזיאון פתוח בימי שלישי והכניסה חופשית לכל תושבי העיר ולתלמידים."
ARABIC = "المتحف مفتوح يوم الثلاثاء والدخول مجاني لجميع سكان المدينة والطلاب."
THAI = "พิพิธภัณฑ์เปิดทุกวันอังคารและเข้าชมฟรีสำหรับนักเรียนทุกคนในเมืองนี้"
POLISH = "Muzeum czynne jest w każdą środę, a wstęp dla uczniów jest bezpłatny; książki są też po łódzku."
TURKISH = "Müze salı günleri açıktır ve öğrenciler için giriş ücretsizdir; şehrin tüm çocukları çağrılıdır."
FRENCH = "Le musée ouvre chaque jeudi et l'entrée est gratuite pour les élèves âgés de dix à quinze ans."

DECLARED = [
    ("shift_jis", "cp932", JAPANESE),
    ("euc-jp", "euc_jp", JAPANESE),
    ("gb2312", "gb18030", CHINESE_S),
    ("gbk", "gb18030", CHINESE_S),
    ("big5", "big5", CHINESE_T),
    ("euc-kr", "cp949", KOREAN),
    ("windows-1251", "cp1251", RUSSIAN),
    ("koi8-r", "koi8-r", RUSSIAN),
    ("iso-8859-5", "iso8859-5", RUSSIAN),
    ("windows-1253", "cp1253", GREEK),
    ("iso-8859-7", "iso8859-7", GREEK),
    ("windows-1255", "cp1255", HEBREW),
    ("windows-1256", "cp1256", ARABIC),
    ("tis-620", "cp874", THAI),
    ("windows-1250", "cp1250", POLISH),
    ("iso-8859-2", "iso8859-2", POLISH),
    ("iso-8859-9", "cp1254", TURKISH),
    ("windows-1254", "cp1254", TURKISH),
    ("iso-8859-1", "cp1252", FRENCH),
    ("windows-1252", "cp1252", FRENCH),
    ("latin1", "cp1252", FRENCH),
    ("iso-8859-15", "iso8859-15", FRENCH),
]


def says(body, text, media_type="text/html"):
    return find_excerpt(read_page(body, media_type=media_type), text).faithful


@pytest.mark.parametrize(("name", "codec", "text"), DECLARED)
def test_a_declared_charset_is_followed_in_the_header_and_in_the_page(name, codec, text):
    plain = f"<p>{text}</p>".encode(codec)
    declared = f'<meta charset="{name}"><p>{text}</p>'.encode(codec)
    old = f'<meta http-equiv="Content-Type" content="text/html; charset={name}"><p>{text}</p>'.encode(codec)
    assert says(plain, text, f"text/html; charset={name}")
    assert says(declared, text)
    assert says(old, text)


@pytest.mark.parametrize(
    ("name", "codec", "text"), [row for row in DECLARED if row[0] not in {"iso-8859-7", "iso-8859-2"}]
)
def test_an_undeclared_legacy_charset_is_detected(name, codec, text):
    assert says(f"<p>{text * 3}</p>".encode(codec), text)


@pytest.mark.parametrize("declared", ["gb18030", "windows-1252", "iso-8859-1", "shift_jis", "euc-kr"])
def test_real_utf8_wins_over_a_false_declaration(declared):
    body = f'<meta charset="{declared}"><p>{JAPANESE} café</p>'.encode()
    page = read_page(body, media_type=f"text/html; charset={declared}")
    assert page.charset == "utf-8"
    assert JAPANESE in page.text


@pytest.mark.parametrize(
    "codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig"]
)
@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, JAPANESE])
def test_unicode_is_read_with_and_without_a_byte_order_mark(codec, text):
    assert says(f"<html><head><title>x</title></head><body><p>{text}</p></body></html>".encode(codec), text)


def test_a_byte_order_mark_wins_over_the_header():
    assert says(b"\xef\xbb\xbf" + f"<p>{FRENCH}</p>".encode(), FRENCH, "text/html; charset=iso-8859-1")


def test_the_header_wins_over_the_page():
    body = f'<meta charset="koi8-r"><p>{RUSSIAN}</p>'.encode("cp1251")
    assert says(body, RUSSIAN, "text/html; charset=windows-1251")


def test_utf8_with_a_few_damaged_bytes_stays_utf8():
    body = f"<p>{FRENCH} {RUSSIAN} \xff</p>".encode().replace("\xff".encode(), b"\xff")
    name, text = to_utf8(body)
    assert name == "utf-8"
    assert RUSSIAN in text.decode()


@pytest.mark.parametrize("media_type", ["text/html", "text/html; charset=utf-8"])
@pytest.mark.parametrize("damage", [b"\xc3", b"\xe2\x80", b"x\xff", b"caf\xe9 x"])
def test_one_damaged_or_cut_character_on_a_page_with_few_others_leaves_it_utf8(damage, media_type):
    page = read_page("<p>Zürich, 5 €, naïve façade</p>".encode() + damage, media_type=media_type)
    assert page.charset == "utf-8"
    assert find_excerpt(page, "Zürich, 5 €, naïve façade").faithful


def test_a_declared_legacy_charset_needs_more_to_be_overruled():
    body = "<p>Ã¼ber cafés, naïve façades</p>".encode("cp1252")
    assert read_page(body, media_type="text/html; charset=windows-1252").charset == "cp1252"


def test_an_unknown_or_binary_charset_name_is_no_charset():
    for name in ("x-user-defined", "base64", "rot13", "none", "utf-8-", "\udc80"):
        assert says(f"<p>{FRENCH}</p>".encode("cp1252"), FRENCH, f"text/html; charset={name}")


def test_a_false_utf8_declaration_does_not_hide_legacy_bytes():
    assert says(f'<meta charset="utf-8"><p>{RUSSIAN * 2}</p>'.encode("cp1251"), RUSSIAN)


def test_seven_bit_japanese_is_read():
    assert says(f"<p>{JAPANESE}</p>".encode("iso2022_jp"), JAPANESE)


def test_the_charset_is_reported_and_binary_has_none():
    assert read_page(b"<p>plain</p>", media_type="text/html").charset == "utf-8"
    assert read_page(b"\x89PNG\r\n\x1a\n\x00\x00").charset == ""
