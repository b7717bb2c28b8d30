package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.knowledge.NewChunk;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.problem.Problem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ChunkerTest {

    private static final Chunker CHUNKER = new Chunker(50);

    private static List<NewChunk> chunks(Section... sections) {
        return CHUNKER.chunks("Title", null, new ParsedDocument(null, List.of(sections)));
    }

    private static Section section(List<String> path, Block... blocks) {
        return Section.of(path, List.of(blocks));
    }

    private static List<String> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "cell %d | value %d".formatted(i, i))
                .toList();
    }

    @Test
    void smallNeighboursUnderOneHeadingAreOneChunk() {
        var chunks = chunks(
                section(List.of("Install"), new Block.Text("One."), new Block.Text("Two.")),
                section(List.of("Install", "Linux"), new Block.Text("Three.")));
        assertThat(chunks).extracting(NewChunk::content).containsExactly("Install\n\nOne.\n\nTwo.", "Linux\n\nThree.");
        assertThat(chunks).extracting(chunk -> chunk.location().label()).containsExactly("Install", "Install › Linux");
        assertThat(chunks.get(1).location().details())
                .containsEntry("section", "Install › Linux")
                .containsEntry("paragraph_index", 0);
    }

    @Test
    void aHeadingAboveHeadingsStandsInFrontOfWhatIsBelow() {
        var chunks = chunks(
                section(List.of("Guide")),
                section(List.of("Guide", "Start"), new Block.Text("Go.")),
                section(List.of("End")));
        assertThat(chunks).extracting(NewChunk::content).containsExactly("Guide\n\nStart\n\nGo.", "End");
    }

    @Test
    void aTableThatFitsIsWholeAndOneThatDoesNotRepeatsItsHead() {
        var whole = chunks(section(List.of(), new Block.Table("name | value", rows(3))));
        assertThat(whole).hasSize(1);
        var parts = chunks(section(List.of(), new Block.Table("name | value", rows(40))));
        assertThat(parts)
                .hasSizeGreaterThan(3)
                .allSatisfy(part ->
                        assertThat(part.content()).startsWith("name | value\n").contains("cell"));
        assertThat(parts.stream().map(NewChunk::content).collect(Collectors.joining("\n")))
                .contains(rows(40));
    }

    @Test
    void aListingThatFitsIsNotCut() {
        var code = "int a = 1;\n\nint b = 2;\n\nreturn a + b;";
        assertThat(chunks(
                        section(List.of(), new Block.Text("A word. ".repeat(10).strip()), new Block.Code(code))))
                .filteredOn(chunk -> chunk.content().contains("int a"))
                .singleElement()
                .satisfies(chunk -> assertThat(chunk.content()).contains(code));
    }

    @Test
    void pagesAndMessagesAreTold() {
        var page = new Section(List.of(), 3, null, List.of(new Block.Text("On the third page.")));
        var pdf = CHUNKER.chunks("T", "https://example.org/a.pdf", new ParsedDocument(null, List.of(page)))
                .getFirst()
                .location();
        assertThat(pdf.url()).isEqualTo("https://example.org/a.pdf#page=3");
        assertThat(pdf.label()).isEqualTo("Page 3");
        assertThat(pdf.details()).containsEntry("page", 3);
        var chat = chunks(section(
                        List.of(),
                        new Block.Message(4, "90", "https://example.org/90", "Ann: Hello"),
                        new Block.Message(5, "91", null, "Bob: Hi")))
                .getFirst();
        assertThat(chat.content()).isEqualTo("Ann: Hello\nBob: Hi");
        assertThat(chat.location().label()).isEqualTo("Messages 5–6");
        assertThat(chat.location().url()).isEqualTo("https://example.org/90");
        assertThat(chat.location().details()).containsEntry("message_index", 4).containsEntry("message_id", "90");
    }

    @Test
    void aSmallChangeChangesFewChunks() {
        var random = new Random(7);
        var paragraphs = new ArrayList<Block>();
        for (int i = 0; i < 300; i++) {
            paragraphs.add(new Block.Text("Paragraph %d has words: ".formatted(i)
                    + "word ".repeat(3 + random.nextInt(10)).strip()));
        }
        var before = contents(paragraphs);
        paragraphs.add(10, new Block.Text("Something new that nobody had thought of, put in near the beginning."));
        var after = contents(paragraphs);
        var fresh = new HashSet<>(after);
        before.forEach(fresh::remove);
        assertThat(after).hasSizeGreaterThan(50);
        assertThat(fresh).hasSizeLessThan(8);
    }

    private static List<String> contents(List<Block> blocks) {
        return chunks(Section.of(List.of(), blocks)).stream()
                .map(NewChunk::content)
                .toList();
    }

    @Test
    void aDocumentOfTooManyChunksIsRefused() {
        var paragraph = new Block.Text("word ".repeat(45).strip());
        var reading = new ParsedDocument(null, List.of(Section.of(List.of(), Collections.nCopies(10_001, paragraph))));
        assertThatThrownBy(() -> CHUNKER.chunks("T", null, reading))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo("knowledge.too-many-chunks"));
    }

    @Provide
    Arbitrary<Block> blocks() {
        var text = Arbitraries.oneOf(
                        Arbitraries.strings().ofMinLength(1).ofMaxLength(300),
                        Arbitraries.strings()
                                .withChars(" .\nabc猫")
                                .ofMinLength(1)
                                .ofMaxLength(600))
                .map(StorableText::of);
        return Arbitraries.oneOf(
                text.map(Block.Text::new),
                text.map(Block.Code::new),
                text.map(said -> new Block.Message(1, null, null, said)),
                text.list().ofMinSize(1).ofMaxSize(8).map(Block.Items::new),
                Combinators.combine(text, text.list().ofMaxSize(8)).as(Block.Table::new));
    }

    @Property(tries = 60)
    void everyChunkFitsAndNothingIsLost(
            @ForAll("blocks") Block first,
            @ForAll("blocks") Block second,
            @ForAll @IntRange(min = 20, max = 80) int most) {
        var section = section(List.of("A heading"), first, second);
        var chunks = new Chunker(most).chunks("T", null, new ParsedDocument(null, List.of(section)));
        assertThat(chunks).allSatisfy(chunk -> {
            assertThat(TokenCounter.count(chunk.content())).isLessThanOrEqualTo(most);
            assertThat(chunk.content()).isNotBlank();
        });
        var said = chunks.stream().map(NewChunk::content).collect(Collectors.joining());
        for (var block : List.of(first, second)) {
            for (var word : words(block)) {
                assertThat(squeezed(said)).contains(word);
            }
        }
    }

    /** Single characters: longer pieces may be cut anywhere. */
    private static List<String> words(Block block) {
        var text = switch (block) {
            case Block.Text one -> one.text();
            case Block.Code one -> one.text();
            case Block.Message one -> one.text();
            case Block.Items many -> String.join("", many.items());
            case Block.Table table -> table.head() + String.join("", table.rows());
        };
        return squeezed(text)
                .codePoints()
                .distinct()
                .mapToObj(Character::toString)
                .toList();
    }

    /** Without white space of any script, which is nothing to be kept. */
    private static String squeezed(String text) {
        return text.codePoints()
                .filter(c -> !Character.isWhitespace(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
