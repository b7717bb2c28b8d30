package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.documents.Block.Code;
import io.hiroba.knowledge.documents.Block.Items;
import io.hiroba.knowledge.documents.Block.Message;
import io.hiroba.knowledge.documents.Block.Table;
import io.hiroba.knowledge.documents.Block.Text;
import io.hiroba.platform.problem.Problem;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DocumentReaderTest {

    private final DocumentReader readers = new DocumentReader();

    private static void refused(String code, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    @Test
    void markdownIsReadWithItsHeadingsListsTablesAndListings() {
        var reading = readers.read(DocumentType.MARKDOWN, """
                ---
                title: "Manual"
                ---
                Before.

                # Install
                Some *text*.

                ## Linux
                - one
                  - two
                - three

                | a | b |
                |---|---|
                | 1 | 2 |

                ```sh
                apt install

                hiroba
                ```
                # Use
                Go.
                """);
        assertThat(reading.title()).isEqualTo("Manual");
        assertThat(reading.sections())
                .containsExactly(
                        Section.of(List.of(), List.of(new Text("Before."))),
                        Section.of(List.of("Install"), List.of(new Text("Some text."))),
                        Section.of(
                                List.of("Install", "Linux"),
                                List.of(
                                        new Items(List.of("- one", "  - two", "- three")),
                                        new Table("a | b", List.of("1 | 2")),
                                        new Code("apt install\n\nhiroba"))),
                        Section.of(List.of("Use"), List.of(new Text("Go."))));
    }

    @Test
    void ofAPageOnlyWhatItIsAboutIsRead() {
        var reading = readers.read(DocumentType.HTML, """
                <html><head><title>Cats &amp; dogs</title><style>p {}</style></head><body>
                <nav><a href="/">Home</a></nav>
                <main><h1>Cats</h1><p>They <b>purr</b>.<br>Always.</p><script>alert(1)</script>
                <h2 id="food">Food</h2><ul><li>Fish<ul><li>Tuna</li></ul></li></ul>
                <table><tr><th>Name</th><th>Age</th></tr><tr><td>Tama</td><td>3</td></tr></table>
                <pre>a
                  b</pre><div>Loose <i>words</i><p>and more</p></div></main>
                <footer>Imprint</footer></body></html>
                """);
        assertThat(reading.title()).isEqualTo("Cats & dogs");
        assertThat(reading.sections())
                .containsExactly(
                        Section.of(List.of("Cats"), List.of(new Text("They purr.\nAlways."))),
                        new Section(
                                List.of("Cats", "Food"),
                                null,
                                "food",
                                List.of(
                                        new Items(List.of("- Fish", "  - Tuna")),
                                        new Table("Name | Age", List.of("Tama | 3")),
                                        new Code("a\n  b"),
                                        new Text("Loose words"),
                                        new Text("and more"))));
    }

    @Test
    void aPageThatIsNestedWithoutEndIsReadAllTheSame() {
        var deep = "<div>".repeat(20_000) + "Deep" + "<b>".repeat(1000);
        assertThat(readers.read(DocumentType.HTML, deep).sections().toString()).contains("Deep");
    }

    @Test
    void aTableOfValuesKeepsItsHead() {
        var table = new Table("name | city", List.of("Ann, A. | Rome", "Bob | Oslo"), List.of(2, 3));
        assertThat(readers.read(DocumentType.CSV, "name;city\n\"Ann, A.\";Rome\nBob;Oslo\n")
                        .sections())
                .containsExactly(Section.of(List.of(), List.of(table)));
        assertThat(readers.read(DocumentType.TSV, "name\tcity\nAnn, A.\tRome\nBob\tOslo\n")
                        .sections())
                .containsExactly(Section.of(List.of(), List.of(table)));
    }

    @Test
    void conversationsOfManyProgramsAreRead() {
        assertThat(messages(readers.read(DocumentType.CHAT, """
                [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": [{"text": "Hi"}]}]
                """)))
                .containsExactly(
                        new Message(0, null, null, "user: Hello"), new Message(1, null, null, "assistant: Hi"));
        var discord = readers.read(DocumentType.CHAT, """
                {"guild": {"id": "1"}, "channel": {"id": "2", "name": "talk"}, "messages": [
                  {"id": "3", "type": "Default", "author": {"name": "ann", "nickname": "Ann"}, "content": "Hello"},
                  {"id": "4", "type": "Default", "author": {"name": "bob"}, "content": ""}]}
                """);
        assertThat(discord.title()).isEqualTo("talk");
        assertThat(messages(discord))
                .containsExactly(new Message(0, "3", "https://discord.com/channels/1/2/3", "Ann: Hello"));
        assertThat(messages(readers.read(DocumentType.CHAT, """
                [{"type": "message", "user": "U1", "text": "Hey", "ts": "1.2", "user_profile": {"real_name": "Ann B"}}]
                """)))
                .containsExactly(new Message(0, "1.2", null, "Ann B: Hey"));
        assertThat(messages(readers.read(DocumentType.TEXT, """
                31/12/2023, 21:45 - Messages are encrypted
                31/12/2023, 21:45 - Ann: Happy
                new year
                [01.01.24, 00:01:10] Bob: You too!
                """)))
                .containsExactly(
                        new Message(0, null, null, "Messages are encrypted"),
                        new Message(1, null, null, "Ann: Happy\nnew year"),
                        new Message(2, null, null, "Bob: You too!"));
    }

    @Test
    void whatAConversationHidesInItsSignsIsReplaced() {
        var reading = readers.read(DocumentType.CHAT, """
                {"channel": {"name": "a\\u0000b"}, "messages": [
                  {"id": "1\\ud800", "author": "Ann\\u0000", "content": "Hel\\u0000lo"}]}
                """);
        assertThat(reading.title()).isEqualTo("a b");
        assertThat(reading.facts()).containsEntry("participants", List.of("Ann"));
        assertThat(messages(reading)).containsExactly(new Message(0, "1\ufffd", null, "Ann: Hel lo"));
    }

    @Test
    void whatHasTooManyPiecesIsRefused() {
        int tooMany = BlockLimit.MAX_BLOCKS + 2; // the first line of values is their head
        refused("knowledge.too-many-chunks", () -> readers.read(DocumentType.CSV, "a\n".repeat(tooMany)));
        refused("knowledge.too-many-chunks", () -> readers.read(DocumentType.TEXT, "a\n\n".repeat(tooMany)));
        refused("knowledge.too-many-chunks", () -> readers.read(DocumentType.MARKDOWN, "a\n\n".repeat(tooMany)));
        refused("knowledge.too-many-chunks", () -> readers.read(DocumentType.HTML, "<p>a".repeat(tooMany)));
        refused(
                "knowledge.too-many-chunks",
                () -> readers.read(DocumentType.CHAT, "[" + "{},".repeat(tooMany) + "{}]"));
        refused("knowledge.too-large", () -> readers.read(DocumentType.HTML, " ".repeat((5 << 20) + 1)));
        refused("knowledge.too-large", () -> readers.read(DocumentType.CHAT, new byte[(5 << 20) + 1], null));
    }

    @Test
    void surroundingsAreLeftOutHoweverManyThereAre() {
        var reading = readers.read(
                DocumentType.HTML,
                "<h1>Cats <a aria-hidden=true>#</a></h1><p>Purr" + "<a hidden>x</a><b></b>".repeat(50_000));
        assertThat(reading.sections()).containsExactly(Section.of(List.of("Cats"), List.of(new Text("Purr"))));
    }

    private static List<Block> messages(ParsedDocument reading) {
        return reading.sections().getFirst().blocks();
    }

    @Test
    void jsonThatIsNoConversationIsRefused() {
        refused("knowledge.unreadable", () -> readers.read(DocumentType.CHAT, "{}"));
        refused("knowledge.unreadable", () -> readers.read(DocumentType.CHAT, "[1, "));
        refused("knowledge.unreadable", () -> readers.read(DocumentType.CHAT, "[".repeat(100_000)));
    }

    @Test
    void jsonThatIsTooDeepIsRefusedInPlainWords() {
        assertThatThrownBy(() -> readers.read(DocumentType.CHAT, "[".repeat(100_000)))
                .hasMessageContaining("nested too deeply")
                .hasMessageNotContaining("Stream");
    }

    @Test
    void howWordsAreReadIsNoPartOfThem() {
        var reading = readers.read(
                DocumentType.HTML,
                "<h2><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby></h2><p>の<ruby>空襲<rp>(</rp><rt>くうしゅう</rt><rp>)</rp></ruby>記念館</p>");
        assertThat(reading.sections()).containsExactly(Section.of(List.of("東京"), List.of(new Text("の空襲記念館"))));
    }

    @Test
    void aTitleHasSomethingThatIsSeen() {
        refused("knowledge.invalid", () -> DocumentTitle.checked("\u202E"));
        assertThat(DocumentTitle.checked("\u202Eabc")).endsWith("abc");
    }

    @Test
    void textIsReadInItsEncoding() {
        assertThat(text("Grüße 猫".getBytes(StandardCharsets.UTF_8), null)).isEqualTo("Grüße 猫");
        assertThat(text("Grüße".getBytes(StandardCharsets.ISO_8859_1), null)).isEqualTo("Grüße");
        assertThat(text("\uFEFFGrüße 猫".getBytes(StandardCharsets.UTF_16), null))
                .contains("Grüße 猫");
        assertThat(text("吾輩は猫".getBytes(Charset.forName("Shift_JIS")), "Shift_JIS"))
                .isEqualTo("吾輩は猫");
        assertThat(text("words".getBytes(StandardCharsets.UTF_8), "no such encoding"))
                .isEqualTo("words");
    }

    private String text(byte[] content, @org.jspecify.annotations.Nullable String charset) {
        return readers.read(DocumentType.TEXT, content, charset)
                                .sections()
                                .getFirst()
                                .blocks()
                                .getFirst()
                        instanceof Text(var text)
                ? text
                : "";
    }

    @Test
    void theKindIsToldByContentThenNameThenType() {
        var text = "words".getBytes(StandardCharsets.UTF_8);
        assertThat(DocumentType.of(null, "a.md", null, text)).isEqualTo(DocumentType.MARKDOWN);
        assertThat(DocumentType.of("application/octet-stream", "a.csv", null, text))
                .isEqualTo(DocumentType.CSV);
        assertThat(DocumentType.of("text/html; charset=utf-8", "page", null, text))
                .isEqualTo(DocumentType.HTML);
        assertThat(DocumentType.of(null, "", null, "<!DOCTYPE html><p>x".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(DocumentType.HTML);
        assertThat(DocumentType.of("text/x-java", "A.java", null, text)).isEqualTo(DocumentType.CODE);
        assertThat(DocumentType.of("text/x-odd", "A.odd", null, text)).isEqualTo(DocumentType.TEXT);
        // A page is no program because its address ends in one.
        assertThat(DocumentType.of("text/html", "index.php", null, text)).isEqualTo(DocumentType.HTML);
        assertThat(DocumentType.of("text/html", "go", null, text)).isEqualTo(DocumentType.HTML);
        assertThat(DocumentType.of("text/plain", "a.txt", null, "%PDF-1.7".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(DocumentType.PDF);
        refused("knowledge.unsupported", () -> DocumentType.of("text/plain", "a.txt", null, new byte[] {1, 2, 0, 4}));
        refused("knowledge.unsupported", () -> DocumentType.ofText("application/pdf"));
        refused("knowledge.unsupported", () -> DocumentType.ofText("image/png"));
    }

    @Test
    void jsonWithoutMessagesIsReadAsSourceCodeIs() {
        var reading = readers.read(DocumentType.CHAT, "{\n  \"plum\": {\"colour\": \"blue\"}\n}");
        assertThat(reading.sections().toString()).contains("\"plum\"", "\"blue\"");
    }
}
