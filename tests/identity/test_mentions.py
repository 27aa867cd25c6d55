"""Does a text name a thing? Hand-made texts, half of them confusable."""

import pytest

from pytest_wandr.identity import mentioned
from pytest_wandr.model import IdentityOptions

NAMED = [
    ("company", "Northgate Foods, Inc.", "Northgate Foods announced its results."),
    ("company", "Northgate Foods", "Shares of NORTHGATE FOODS INC. rose."),
    ("company", "Northgate Foods", "the northgate foods report. More on Monday"),
    ("company", "Northgate", "Northgate Announces First Quarter Results"),
    ("company", "Northgate", "Northgate Chief Executive Jane Doe said so."),
    ("company", "Northgate", "Northgate, Inc. (NYSE: NGT) today announced a deal."),
    ("company", "Northgate Inc. (NYSE: NGT)", "The board of Northgate met."),
    ("company", "Northgate Inc.", "Northgate's results were fine, and Northgate’s board agreed."),
    ("company", "Northgate", "Northgate Foods is a rival. Northgate said on Monday that it grew."),
    ("company", "Northgate", "The Northgate-owned plant closed."),
    ("company", "Northgate", "On Tuesday Northgate opened a plant; in May Northgate closed it."),
    ("company", "Marks & Kestrel", "a report by Marks &amp; Kestrel plc"),
    ("company", "J.P. Kestrel", "analysts at J. P. Kestrel and at JP Kestrel"),
    ("company", "JPKestrel", "analysts at J. P. Kestrel"),
    ("company", "M.A.R. Kestrel", "M.A.R. Kestrel said so."),
    ("company", "MARS Kestrel", "analysts at M.A.R.S. Kestrel said so."),
    ("company", "Kola-Kestrel Co", "The Kola Kestrel Company said"),
    ("company", "Müller Kestrel GmbH", "die Mueller Kestrel GmbH in Bremen"),
    ("company", "Mueller Kestrel GmbH", "die Müller Kestrel GmbH in Bremen"),
    ("company", "Northgate Capital Fund III, L.P.", "Northgate Capital Fund 3 closed."),
    ("company", "Northgate Business Machines (NBM)", "NBM said so."),
    ("company", "Kestrel Platforms (f/k/a Facegate)", "the Facegate app"),
    ("company", "Kestrel (Asia) Limited", "Kestrel (Asia) opened a branch."),
    ("company", "ООО «Ромашка»", "компания «Ромашка» сообщила"),
    ("company", "星北银行", "今天星北银行宣布新的行长"),
    ("company", "星北株式会社", "本日、星北は発表した"),
    ("company", "4N", "The 4N Company said so."),
    ("company", "SpaceX Kestrel", "Space X Kestrel said so."),
    ("company", "Kestrel X", "KestrelX said so."),
    ("company", "Kestrel Inc. f.k.a. Marlow Tides", "once Marlow Tides"),
    ("company", "Kestrel PCL", "the board of Kestrel Public Company Limited met"),
    ("company", "Kestrel", "the board of Kestrel Public Limited Company met"),
    ("company", "Kestrel Bank N.A.", "at Kestrel Bank, National Association, it is"),
    ("company", "Kestrel (HK) Ltd", "the arm, Kestrel (HK) Limited, is new"),
    ("company", "Kestrel (HK) Ltd", "the arm, Kestrel (Hong Kong) Ltd, is new"),
    ("company", "(株)倉本工業", "今日は倉本工業株式会社が発表した"),
    ("product", "Kestrel Drill 18V", "the Kestrel Drill 18-volt is new"),
    ("place", "NE Kestrel Street", "on Northeast Kestrel St. today"),
    ("person", "Dr. med. Jane Doe", "then Jane Doe said so"),
    ("person", "Kim Min-jun (김민준)", "then Kim Min-jun said so"),
    ("person", "Kim Min-jun (김민준)", "배우 김민준 이"),
    ("paper", "PMID: 12345678", "see PMID 12345678, page 4"),
    ("paper", "PMC1234567", "it is in PMCID: PMC1234567."),
    ("paper", "ISBN 0-306-40615-2", "ISBN 978-0-306-40615-7 is the book"),
    ("paper", "ISBN 978-0-306-40615-7", "ISBN-10: 0306406152 is the book"),
    ("paper", "arXiv:math/0301001", "see arXiv:math.AG/0301001."),
    ("paper", "On the flight of <i>Kestrel</i>", "We cite On the flight of Kestrel."),
    ("company", "Unit7", "Unit 7 said so."),
    ("company", "Intl Kestrel", "International Kestrel Inc. said so."),
    ("person", "John A. Smith", "John Smith joined the board."),
    ("person", "John Smith", "John A. Smith joined the board."),
    ("person", "John Smith", "Smith, John A., et al., 2004"),
    ("person", "Bill Smith", "William Smith said so."),
    ("person", "Jane Doe", "Dr. Jane Doe, PhD, was named to the post."),
    ("person", "Jane Doe", "JANE DOE WAS NAMED CFO"),
    ("person", "Jane Doe", "Northgate Names Jane Doe Chief Financial Officer"),
    ("person", "Jane Doe", "Chief Financial Officer Jane\nDoe said so."),
    ("person", "José Kestrél", "Jose Kestrel's book"),
    ("person", "Jean-Luc Kestrel", "Jean Luc Kestrel said so."),
    ("person", "Robert Kestrel Jr.", "Robert Kestrel, Jr. said so."),
    ("person", "Владимир Кестрель", "Vladimir Kestrel said so. Vladimir Kestrel' left."),
    ("person", "高市早苗", "昨日、高市早苗は言った"),
    ("person", "Kim Jong Un", "Kim Jong-un said so."),
    ("person", "Ludwig van der Kestrel", "a letter by Ludwig van der Kestrel"),
    ("person", "Julia Abbott (b. 1901)", "Julia Abbott, born 1901, was a painter."),
    ("person", "Jane Doe", "Brown was seen with Jane Doe. Jane Doe-Miller was not."),
    ("product", "Kestrel 15", "the new Kestrel 15 is here"),
    ("product", "Galaxa S-24", "the Galaxa S24."),
    ("product", "C++", "written in C++."),
    ("product", "C#", "written in C# by hand"),
    ("product", "PlayDesk 5", "the Play Desk 5 console"),
    ("place", "New Kestrel", "The harbour of New Kestrel is open."),
    ("place", "Mt. Kestrel", "the top of Mount Kestrel"),
    ("place", "Kestrel Theatre", "the Kestrel Theater"),
    ("place", "St. Mary's Church, Stipford", "St Mary's Church, Stipford, was built"),
    ("paper", "Kestrels Are All You Need", "see “Kestrels are all you need”, 2017"),
    ("paper", "doi:10.1000/xyz123", "https://doi.org/10.1000/XYZ123."),
    ("paper", "arXiv:2101.00001", "arXiv:2101.00001v2 [cs]"),
    ("enum", "USA", "in the United States of America"),
    ("enum", "Series A", "closed its Series A round"),
    ("text", "World Cup II", "the World Cup 2 ended"),
    ("text", "54th Annual Kestrel Awards", "at the 54th annual Kestrel awards"),
    ("id", "ab-123", "see (AB-123)."),
    ("date", "2026-03-04", "announced on 2026-03-04."),
    ("url", "https://www.site.example/a", "see http://site.example/a?utm_source=x."),
    ("person", "Jane Doe", "Jane and John Doe said"),
    ("person", "John Doe", "Jane and John Doe said"),
    ("person", "Dwayne Kestrel", 'Dwayne "The Rock" Kestrel said'),
    ("person", "Dwayne Kestrel", "Dwayne “Rock” Kestrel said"),
    ("person", "Bill Kestrel", "William (Bill) Kestrel said"),
    ("person", "William Kestrel", "William H. “Bill” Kestrel said"),
    ("person", "J.R. Kestrel", "J. R. Kestrel said"),
    ("person", "J. R. Kestrel", "JR Kestrel said"),
    ("person", "Jane Doe", "Jane\nDoe said"),
    ("person", "Jane Doe", "Doe, Jane"),
    ("person", "Mohammed Al-Kestrel", "Mohamed Al Kestrel said"),
    ("person", "Jane Doe", "by Jane Doe Photo: Acme"),
    ("person", "Jane Doe", "jane doe said it"),
    ("person", "Hanne O'Neil", "Hanne O’Neil’s plan"),
    ("person", "Hanne ONeil", "Hanne O'Neil said"),
    ("company", "Acme & Sons", "Acme and Sons said"),
    ("company", "Acme", "Acme's Foods"),
    ("company", "Yohaa!", "Yohaa said"),
    ("company", "Yohaa", "Yohaa! said"),
    ("company", "K.ON SE", "K.ON said"),
    ("company", "K.ON SE", "Kon said"),
    ("company", "S&K Global", "S&K Global said"),
    ("company", "Kites “R” Us", "Kites R Us said"),
    ("company", "Acme S.A. de C.V.", "Acme, S.A. de C.V. said"),
    ("company", "The Northgate Company", "Northgate said"),
    ("company", "Northgate Co", "the Northgate Company said"),
    ("company", "Northgate Group", "Northgate Group PLC"),
    ("company", "Kestrel", "Kestrel (NYSE: KST)"),
    ("company", "Kestrel", "(Kestrel)"),
    ("company", "Kestrel", "“Kestrel”"),
    ("company", "Kestrel", "Kestrel/Northgate"),
    ("company", "Kestrel", "kestrel.example"),
    ("company", "Northgate", "Mr. Doe joined Northgate Monday"),
    ("company", "Northgate", "Northgate CEO"),
    ("company", "Northgate", "Northgate Q1 sales"),
    ("company", "Northgate", "Northgate Board of Directors Appoints Jane Doe"),
    ("company", "Northgate", "About Northgate About Us Contact"),
    ("company", "Northgate", "Northgate Names New Chief"),
    ("company", "Northgate", "NORTHGATE NAMES NEW CHIEF"),
    ("product", "Kestrel A41 stroller", "the Kestrel A41 Stroller"),
    ("product", "Kestrel A41", "the Kestrel A41 stroller"),
    ("product", "Kestrel A41", "Kestrel A-41"),
    ("product", "500 GB Disk", "500GB disk"),
    ("product", "S24+", "S24 Plus"),
    ("place", "Washington, D.C.", "in Washington, DC on"),
    ("place", "Springfield", "Springfield, Ill."),
    ("place", "St. Louis", "Saint Louis"),
    ("place", "London", "Greater London"),
    ("text", "A survey: of kestrels", "A Survey of Kestrels"),
    ("text", "100% wool", "100 % wool"),
    ("paper", "Deep Kestrels", "Deep Kestrels: A Survey"),
]

NOT_NAMED = [
    ("company", "Northgate", "Northgate Foods announced its results."),
    ("company", "Northgate", "NORTHGATE FOODS ANNOUNCES RESULTS"),
    ("company", "Northgate", "Registrant | Northgate Zephyr Works Inc."),
    ("company", "Northgate Foods", "Northgate Energy said on Monday that it grew."),
    ("company", "Northgate Foods", "Southgate Foods said on Monday that it grew."),
    ("company", "Northgate Foods", "Northgate. Foods are cheap."),
    ("company", "Star Energy", "the North Star Energy plant"),
    ("company", "Northgate Capital Fund III", "Northgate Capital Fund II closed."),
    ("company", "Northgate Capital Fund II", "Northgate Capital Fund III closed."),
    ("company", "Northgate Capital Fund", "Northgate Capital Fund III closed."),
    ("company", "Northgate Fund 3", "Northgate Fund 13 closed."),
    ("company", "Royal Kestrel", "Royal Mail said so."),
    ("company", "Bank of the Kestrel West", "the Bank of the Kestrel East said so."),
    ("company", "Kestrel (Asia) Limited", "Kestrel (London) plc opened a branch."),
    ("company", "Labour Party (Norway)", "Labour Party (Ireland) said so."),
    ("company", "4N", "N4 Inc. said so."),
    ("company", "Coca", "a can of Coca-Kestrel"),
    ("company", "US", "they told us. It was Monday"),
    ("company", "Acme", "Acmeworks said so; the acmes fell."),
    ("person", "John A. Smith", "John B. Smith joined the board."),
    ("person", "Aaron Wendt", "Josh Wendt said so. Wendt added that he would stay."),
    ("person", "Robert Kestrel", "Robert Kestrel Jr. said so."),
    ("person", "Robert Kestrel Jr.", "Robert Kestrel Sr. said so."),
    ("person", "George Kestrel III", "George Kestrel II said so."),
    ("person", "Jane Doe", "Jane Doe-Miller was named."),
    ("person", "Jane Doe", "John Doe was named."),
    ("person", "Jane Doe", "Jane Dover was named."),
    ("person", "Kim Jong Un", "Kim Jong Il said so."),
    ("person", "Wei Zhang", "Wei Wang said so."),
    ("person", "高石早苗", "昨日、高市早苗は言った"),
    ("person", "Julia Abbott (b. 1901)", "Julia Abbott (b. 1922) was a painter."),
    ("person", "Mark Field", "Mark walked over the field."),
    ("product", "Kestrel 15", "the new Kestrel 15 Pro is here"),
    ("product", "Kestrel 15", "the kestrel 15 pro max is here. Buy"),
    ("product", "Kestrel 15", "the new Kestrel 14 is here"),
    ("product", "Galaxa S24", "the Galaxa S24 Ultra is here"),
    ("product", "GPX-4", "GPX-4o is here"),
    ("product", "Pythia 3.1", "Pythia 3.10 came out"),
    ("product", "Pythia 3.1", "Pythia 31 came out"),
    ("product", "C", "written in C++."),
    ("product", "C", "written in C# by hand"),
    ("place", "York", "New York is large."),
    ("place", "Guinea", "Guinea-Bissau is small."),
    ("place", "South Kestrel", "North Kestrel said so."),
    ("place", "Upper Stipford", "the mill of Lower Stipford"),
    ("place", "Terminal 1", "Terminal 2 opened."),
    ("place", "Kestrel", "the Kestrel Hotel opened"),
    ("paper", "doi:10.1000/xyz12", "https://doi.org/10.1000/XYZ123."),
    ("paper", "arXiv:2101.00001", "arXiv:2101.000011"),
    ("paper", "Kestrels Are All You Need", "Kestrels are all we need"),
    ("enum", "Series A", "closed its Series B round"),
    ("enum", "Male", "Female"),
    ("enum", "CEO", "the new CFO"),
    ("text", "World Cup I", "World Cup II ended"),
    ("text", "54th Annual Kestrel Awards", "at the 55th annual Kestrel awards"),
    ("text", "U-17 World Cup", "the U-20 World Cup"),
    ("id", "AB-123", "see AB-1234 and X-AB-123"),
    ("id", "007", "it took 7 days"),
    ("date", "2026-03-04", "announced last week"),
    ("url", "https://site.example/a", "see https://site.example/ab and https://site.example/a/b"),
    ("person", "Mary Doe", "Jane and John Doe said"),
    ("person", "John Smith", "Smith & Kestrel said."),
    ("person", "John Smith", "Smith Foods said."),
    ("person", "Jane Doe", "Jane said. The doe ran."),
    ("person", "Jane Doe", "Jane Q. Doe, Jr. said"),
    ("person", "Jane Doe", "Jane M. Doe III said"),
    ("person", "George H. W. Kestrel", "George W. Kestrel said"),
    ("company", "Acme Foods", "Acme's Foods"),
    ("company", "Northgate", "Northgate Bank and Northgate Energy and Northgate Foods"),
    ("company", "Northgate Group", "Northgate said"),
    ("company", "Lettergate Inc.", "Searchgate LLC said"),
    ("product", "Kestrel A41", "Kestrel A42"),
    ("product", "Kestrel A41", "Kestrel A41S"),
    ("product", "S24", "S24+"),
    ("place", "Paris, Texas", "Paris, France"),
]

OPEN = [
    ("company", "Northgate", "Northgate Holdings said so."),
    ("company", "Northgate", "the Northgate Zephyr is fast"),
    ("company", "Northgate Business Machines", "NBM said so."),
    ("company", "Target", "The target price of the stock fell."),
    ("company", "Labour Party (Norway)", "The Labour Party said so."),
    ("person", "John Smith", "Mr. Smith said so."),
    ("person", "John Smith", "J. Smith said so."),
    ("person", "John Smith", "John Andrew Smith said so."),
    ("person", "Robert Kestrel Jr.", "Robert Kestrel said so."),
    ("person", "Wei Zhang", "Zhang Wei said so."),
    ("person", "Prince", "Prince Harry said so."),
    ("person", "Luc Kestrel", "Jean-Luc Kestrel said so."),
    ("product", "Kestrel", "the Kestrel 15 is here"),
    ("date", "2026-03-04", "announced on 4 March 2026"),
    ("place", "Mexico", "a flight to Mexico City is long"),
    ("person", "John Smith", "the Smith family. Smith said"),
    ("person", "Jane Doe", "Jane | Doe"),
    ("person", "Jane Doe", "DOE Jane"),
    ("person", "Ludwig van Kestrel", "Kestrel said"),
    ("person", "Ludwig van Kestrel", "Ludwig Kestrel said"),
    ("person", "Jane Doe", "Ms. Doe said"),
    ("company", "Acme", "Acme & Sons said"),
    ("product", "PlayDesk", "PlayDesk 5"),
]


@pytest.mark.parametrize(("kind", "name", "text"), NAMED)
def test_a_text_names_a_thing_in_any_spelling(kind, name, text):
    assert mentioned(kind, name, text) is True


@pytest.mark.parametrize(("kind", "name", "text"), NOT_NAMED)
def test_a_text_about_a_namesake_does_not_name_the_thing(kind, name, text):
    assert mentioned(kind, name, text) is False


@pytest.mark.parametrize(("kind", "name", "text"), OPEN)
def test_what_a_text_leaves_open_is_open(kind, name, text):
    assert mentioned(kind, name, text) is None


def test_half_of_the_cases_are_negative():
    assert len(NAMED) >= 50
    assert len(NOT_NAMED) >= 50


def test_declared_aliases_name_the_thing():
    options = IdentityOptions(aliases={"Kestrel Platforms": ("Facegate",)})
    assert mentioned("company", "Kestrel Platforms", "Facegate said so.", options) is True
    assert mentioned("company", "Facegate Inc.", "Kestrel Platforms said so.", options) is True
    assert mentioned("company", "Other", "Kestrel Platforms said so.", options) is False


def test_a_longer_name_that_the_author_calls_distinct_does_not_count():
    options = IdentityOptions(distinct=(("Northgate Prime", "Northgate Prime Zephyr"),))
    assert (
        mentioned("company", "Northgate Prime", "Northgate Prime Zephyr Rises Again Today", options) is False
    )
    assert mentioned("company", "Northgate Prime", "Northgate Prime rises.", options) is True


def test_numbers_can_be_ignored():
    options = IdentityOptions(numbers="ignore")
    assert mentioned("product", "Kestrel 15", "the Kestrel is here", options) is True


@pytest.mark.parametrize("text", ["", " ", "\u200b", "…", "()"])
def test_a_text_without_words_names_nothing(text):
    assert mentioned("company", "Northgate", text) is False
    assert mentioned("person", "Jane Doe", text) is False


def test_a_blank_name_is_mentioned_nowhere():
    assert mentioned("company", " ", "Northgate said so.") is False


def test_the_number_of_a_paper_is_looked_for_close_behind_the_name_of_its_list():
    """A page may repeat that name as long as it likes; each place is looked at once."""
    assert mentioned("paper", "PMID 12345678", "at pubmed.example/a/12345678") is True
    assert mentioned("paper", "PMID 12345678", f"at pubmed{'/a' * 50}/12345678") is False
    assert mentioned("paper", "PMID 12345678", "pubmed/" * 20_000) is False


def test_one_clean_mention_outweighs_every_doubtful_one():
    text = "Northgate Holdings and Northgate Foods met. " * 50 + "Northgate said so."
    assert mentioned("company", "Northgate", text) is True
