package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.documents.Block.Code;
import io.hiroba.knowledge.documents.Block.Items;
import io.hiroba.knowledge.documents.Block.Table;
import io.hiroba.knowledge.documents.Block.Text;
import io.hiroba.knowledge.documents.Section.Numbering;
import io.hiroba.platform.problem.Problem;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Mails and mailboxes, Rich Text Format and source code. */
class MailAndCodeReadersTest {

    private final DocumentReader readers = new DocumentReader();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static List<String> labels(ParsedDocument reading) {
        return new Chunker(100)
                .chunks("T", null, reading).stream()
                        .map(chunk -> chunk.location().label())
                        .toList();
    }

    private static final String MAIL = """
            From: =?ISO-2022-JP?B?GyRCOzNFRBsoQg==?= <yamada@example.jp>
            To: ann@example.org
            Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=
            Date: Mon, 1 Apr 2024 10:00:00 +0900
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: multipart/alternative; boundary=c

            --c
            Content-Type: text/plain; charset=ISO-8859-1
            Content-Transfer-Encoding: quoted-printable

            Sch=F6ne Gr=FC=DFe

            > What you said
            --c
            Content-Type: text/html

            <p>Never shown</p>
            --c--
            --b
            Content-Type: application/pdf; name="plan.pdf"
            Content-Disposition: attachment; filename="plan.pdf"
            Content-Transfer-Encoding: base64

            JVBERi0=
            --b
            Content-Type: message/rfc822

            From: bob@example.org
            Subject: Before
            Content-Type: text/html; charset=Shift_JIS
            Content-Transfer-Encoding: base64

            PHA+k4yLnoLMkqmCzZGBgqI8L3A+
            --b--
            """;

    @Test
    void aMailIsReadWithItsHeadsItsTextAndTheNamesOfItsAttachments() {
        assertThat(DocumentType.of(null, "", null, bytes(MAIL))).isEqualTo(DocumentType.MAIL);
        assertThat(DocumentType.of("message/rfc822", "a", null, bytes(MAIL))).isEqualTo(DocumentType.MAIL);
        var reading = readers.read(DocumentType.MAIL, bytes(MAIL), null);
        assertThat(reading.title()).isEqualTo("Grüße");
        assertThat(reading.sections())
                .containsExactly(
                        Section.of(
                                List.of("Grüße"),
                                List.of(
                                        new Text("From: 山田 <yamada@example.jp>\nTo: ann@example.org\n"
                                                + "Date: Mon, 1 Apr 2024 10:00:00 +0900"),
                                        new Text("Schöne Grüße"),
                                        new Text("> What you said"),
                                        new Items(List.of("- plan.pdf")))),
                        Section.of(List.of("Before"), List.of(new Text("From: bob@example.org"), new Text("東京の朝は早い"))));
    }

    @Test
    void aMailboxIsReadMailByMail() {
        var mailbox = """
                From ann@example.org Mon Apr  1 10:00:00 2024
                From: ann@example.org
                Subject: One

                First.
                From here on it is the text.

                From bob@example.org Mon Apr  1 11:00:00 2024
                From: bob@example.org
                Subject: Two

                Second.
                """;
        assertThat(DocumentType.of(null, "Inbox", null, bytes(mailbox))).isEqualTo(DocumentType.MAILBOX);
        var reading = readers.read(DocumentType.MAILBOX, bytes(mailbox), null);
        assertThat(reading.facts()).containsEntry("message_count", 2);
        assertThat(reading.sections())
                .containsExactly(
                        new Section(
                                List.of("One"),
                                1,
                                null,
                                List.of(
                                        new Text("From: ann@example.org"),
                                        new Text("First.\nFrom here on it is the text.")),
                                Numbering.MESSAGE),
                        new Section(
                                List.of("Two"),
                                2,
                                null,
                                List.of(new Text("From: bob@example.org"), new Text("Second.")),
                                Numbering.MESSAGE));
        assertThat(labels(reading)).containsExactly("Message 1 › One", "Message 2 › Two");
    }

    private static String inMailbox(String heads, String text) {
        return "From a@example.org Mon Apr  1 10:00:00 2024\nFrom: a@example.org\n" + heads + "\n\n" + text + "\n\n";
    }

    @Test
    void oneOddMailDoesNotKeepTheOthersOfItsMailboxAway() {
        var mailbox =
                inMailbox("Subject: good", "Hello\n\n>From the start it was quoted.\n>>From before.\n> From afar.")
                        + inMailbox("Subject: base64\nContent-Transfer-Encoding: base64", "SGVsbG8gd29ybGQ@@@")
                        + inMailbox("Subject: odd\nContent-Transfer-Encoding: weird", "hello")
                        + inMailbox("Subject: none\nContent-Type: multipart/mixed", "no boundary")
                        + inMailbox(
                                "Subject: parts\nContent-Type: multipart/mixed; boundary=b",
                                "--b\nContent-Transfer-Encoding: weird\n\nx\n--b\n\nThe other part.\n--b--")
                        + inMailbox("Subject: last", "Bye");
        var reading = readers.read(DocumentType.MAILBOX, bytes(mailbox), null);
        assertThat(reading.facts()).containsEntry("message_count", 6).containsEntry("unreadable_count", 4);
        assertThat(reading.sections().stream().map(section -> section.path().getFirst()))
                .containsExactly("good", "base64", "odd", "none", "parts", "last");
        assertThat(reading.sections().getFirst().blocks())
                .endsWith(new Text("From the start it was quoted.\n>From before.\n> From afar."));
        assertThat(reading.sections().get(4).blocks()).endsWith(new Text("The other part."));
        assertThatThrownBy(() -> readers.read(
                        DocumentType.MAIL,
                        bytes("From: a\nSubject: odd\nContent-Transfer-Encoding: weird\n\nhello"),
                        null))
                .isInstanceOf(Problem.class);
    }

    @Test
    void ofAlternativesTheOneThatHasTextIsRead() {
        for (var page : List.of(
                "Content-Type: text/html\n\n<p>The code is 42.</p>\n",
                "Content-Type: multipart/related; boundary=Y\n\n--Y\nContent-Type: text/html\n\n<p>The code is 42.</p>\n--Y--\n")) {
            var mail =
                    "From: a\nSubject: x\nContent-Type: multipart/alternative; boundary=X\n\n--X\nContent-Type: text/plain\n\n \n--X\n"
                            + page + "--X--\n";
            assertThat(readers.read(DocumentType.MAIL, bytes(mail), null)
                            .sections()
                            .getFirst()
                            .blocks())
                    .endsWith(new Text("The code is 42."));
        }
    }

    @Test
    void wordsOfHeadsAreReadInTheEncodingThatTheirNamesMean() {
        for (var charset : Map.of("Shift_JIS", "windows-31j", "ISO-2022-JP", "x-windows-iso2022jp", "gb2312", "GBK")
                .entrySet()) {
            var subject = charset.getKey().equals("gb2312") ? "朱镕基" : "①髙橋";
            var encoded = Base64.getEncoder().encodeToString(subject.getBytes(Charset.forName(charset.getValue())));
            var mail = "From: a\nSubject: =?%s?B?%s?=\n\nx".formatted(charset.getKey(), encoded);
            assertThat(readers.read(DocumentType.MAIL, bytes(mail), null).title())
                    .as(charset.getKey())
                    .isEqualTo(subject);
        }
    }

    @Test
    void aMailThatIsNestedWithoutEndIsRefused() {
        var deep = new StringBuilder("From: a@example.org\nSubject: x\n");
        for (int i = 0; i < 50; i++) {
            deep.append("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n".formatted(i, i));
        }
        var wide = "From: a\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n".repeat(2000);
        for (var mail : List.of(deep.toString(), wide)) {
            assertThatThrownBy(() -> readers.read(DocumentType.MAIL, bytes(mail), null))
                    .isInstanceOfSatisfying(
                            Problem.class, problem -> assertThat(problem.code()).isEqualTo("knowledge.unreadable"));
        }
    }

    @Test
    void richTextIsReadInTheEncodingsOfItsFonts() {
        var hex = new StringBuilder();
        for (byte b : "東京です".getBytes(Charset.forName("Shift_JIS"))) {
            hex.append("\\'%02x".formatted(b & 0xFF));
        }
        var rtf = """
                {\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\fcharset128 MS Gothic;}}{\\colortbl;\\red0;}
                {\\info{\\title Notes}{\\author Ann}}{\\*\\generator Word;}
                \\pard\\outlinelevel0 Plan\\par
                \\pard Sch\\'f6ne \\b words\\b0\\u8212?and \\{more\\}\\par
                {\\f1 %s}\\par
                \\trowd\\pard\\intbl a\\cell b\\cell\\row\\pard\\intbl 1\\cell 2\\cell\\row
                \\pard {\\pict\\bin5 {{{{{0000}End\\par}
                """.formatted(hex);
        assertThat(DocumentType.of(null, "a.doc", null, bytes(rtf))).isEqualTo(DocumentType.RTF);
        var reading = readers.read(DocumentType.RTF, bytes(rtf), null);
        assertThat(reading.title()).isEqualTo("Notes");
        assertThat(reading.sections())
                .containsExactly(Section.of(
                        List.of("Plan"),
                        List.of(
                                new Text("Schöne words—and {more}"),
                                new Text("東京です"),
                                new Table("a | b", List.of("1 | 2")),
                                new Text("End"))));
        assertThatThrownBy(() -> readers.read(DocumentType.RTF, bytes("{\\rtf1" + "{".repeat(5000)), null))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("nests its groups");
    }

    @Test
    void aWesternFontOfAnEastAsianTextHasWesternCharacters() {
        var rtf =
                "{\\rtf1\\ansi\\ansicpg932{\\fonttbl{\\f0\\fcharset128 MS Mincho;}{\\f1\\fcharset0 Arial;}{\\f2\\fcharset1 X;}}"
                        + "\\f1 Caf\\'e9 d\\'e9j\\'e0\\par\\f0 \\'8c\\'ae\\par\\f2 \\'8c\\'ae\\par}";
        assertThat(readers.read(DocumentType.RTF, bytes(rtf), null)
                        .sections()
                        .getFirst()
                        .blocks())
                .containsExactly(new Text("Café déjà"), new Text("鍵"), new Text("鍵"));
    }

    @Test
    void codeIsDividedAtWhatItDeclaresWithItsLines() {
        var java =
                """
                package a;

                import b.C;

                /** Greets. */
                public final class Greeter {

                    private final String name;

                """ + IntStream.range(0, 12).mapToObj(i -> """
                            /** Says it %d times. */
                            @Override
                            String times%d(int n) {
                                if (n > 0) {
                                    return name;
                                }

                                return "";
                            }

                        """.formatted(i, i)).collect(Collectors.joining()) + "}\n";
        assertThat(DocumentType.of(null, "Greeter.java", null, bytes(java))).isEqualTo(DocumentType.CODE);
        var reading = readers.read(DocumentType.CODE, bytes(java), null);
        var paths = reading.sections().stream().map(Section::path).toList();
        assertThat(paths)
                .startsWith(List.of("a"), List.of(), List.of("Greeter"))
                .contains(List.of("Greeter", "times0()"), List.of("Greeter", "times11()"));
        assertThat(labels(reading)).contains("Greeter › times0() › Lines 10–18");
        assertThat(reading.sections().stream()
                        .flatMap(section -> section.blocks().stream())
                        .map(block -> ((Code) block).text())
                        .collect(Collectors.joining("\n")))
                .contains("import b.C;", "times5(int n)", "private final String name;");
    }

    @Test
    void longCodeIsReadInTimeThatGrowsWithItsLength() {
        var lines = 50_000;
        for (var code : List.of(
                "x\n" + "  a(b\n".repeat(lines) + "y\n",
                "call(1);\n\n".repeat(lines),
                ("f(".repeat(120) + "\n").repeat(5_000))) {
            var reading = readers.read(DocumentType.CODE, bytes(code), null);
            assertThat(reading.sections()).isNotEmpty();
        }
    }

    @Test
    void codeWithoutBracesIsDividedByItsIndentation() {
        var python = """
                import os

                def one(a):
                    # First.

                    return a

                class Two:
                    def three(self):
                        return 3
                """;
        var reading = readers.read(DocumentType.CODE, bytes(python), null);
        assertThat(reading.sections().stream().map(Section::path))
                .containsExactly(List.of(), List.of("one"), List.of("Two"));
        assertThat(labels(reading)).containsExactly("Line 1", "one › Lines 3–6", "Two › Lines 8–10");
    }
}
