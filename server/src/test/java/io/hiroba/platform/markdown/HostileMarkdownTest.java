package io.hiroba.platform.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts made to exhaust time, stack or memory. What is asserted is the shape of the result, never the clock. */
@Tag("slow")
class HostileMarkdownTest {

    private static final int LENGTH = 100_000;
    private static final int SMALL_STACK = 256 * 1024;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "**a ",
                "a**b",
                "*_",
                "***a",
                "_a ",
                "~~a",
                "~a~ ",
                ":~*a~~",
                "~~*~http://a.b",
                "[",
                "![",
                "[a](",
                "[[]()",
                "![[]()",
                "[*",
                "![a](/b)",
                "![a](/b){featured}",
                "[a][",
                "[a]",
                "[a]: b\n",
                "[a]:\n",
                "`",
                "a```b``",
                ">",
                "> ",
                "- ",
                "1. ",
                "- a\n",
                "<",
                "<!--",
                "<?",
                "<![CDATA[",
                "<a:",
                "<a ",
                "a@",
                "a@b.",
                "www.",
                "http://",
                "|",
                "|a|\n|-|\n",
                "&",
                "&#1;",
                "\\",
                "#",
                "\t",
                "\n",
                "  \n",
                "e\u0301",
                "\u0301",
                "{",
                "\uD83D",
            })
    void oneMarkRepeated(String mark) throws InterruptedException {
        assertBounded(mark.repeat(LENGTH / mark.length()));
    }

    static List<String> nests() {
        int half = LENGTH / 2;
        return List.of(
                "*a **b ".repeat(half / 7) + " c** d*".repeat(half / 7),
                "*".repeat(half) + "a" + "*".repeat(half),
                "[".repeat(4_000) + "](http://a)".repeat(4_000),
                "![".repeat(4_000) + "a" + "](/a)".repeat(4_000),
                "> ".repeat(1_000) + "a\n" + (">".repeat(1_000) + "\n").repeat(90),
                "- ".repeat(2_000) + "a\n" + ("  ".repeat(500) + "- a\n").repeat(90));
    }

    @ParameterizedTest
    @MethodSource("nests")
    void marksInsideMarks(String markdown) throws InterruptedException {
        assertBounded(markdown);
    }

    @Test
    void oneLongAddressUsedByThousandsOfReferencesDoesNotMultiply() throws InterruptedException {
        assertBounded("[a]: http://" + "x".repeat(1_900) + "\n\n" + "[a]".repeat(4_900));
    }

    @Test
    void shortRowsUnderAWideHeaderDoNotMultiply() throws InterruptedException {
        assertBounded("|a".repeat(2_000) + "|\n" + "|-".repeat(2_000) + "|\n" + "|\n".repeat(40_000));
    }

    private static void assertBounded(String markdown) throws InterruptedException {
        var result = onASmallStack(markdown);

        assertThat(depth(result.blocks())).isLessThanOrEqualTo(64);
        assertThat(result.html().length()).isLessThanOrEqualTo(20 * markdown.length());
        assertThat(result.text().length()).isLessThanOrEqualTo(2 * markdown.length());
        assertThat(result.snippet().json()).hasSizeLessThanOrEqualTo(4096);
    }

    /** Everything that walks a tree walks it on a stack much smaller than any thread of a server has. */
    private static Document onASmallStack(String markdown) throws InterruptedException {
        var result = new AtomicReference<Document>();
        var failure = new AtomicReference<Throwable>();
        var thread = new Thread(
                null,
                () -> {
                    var document = Markdown.parse(markdown);
                    assertThat(document.html()).isNotNull();
                    assertThat(Snippet.fromJson(document.snippet().json())).isEqualTo(document.snippet());
                    result.set(document);
                },
                "small stack",
                SMALL_STACK);
        thread.setUncaughtExceptionHandler((ignored, thrown) -> failure.set(thrown));
        thread.start();
        thread.join();
        assertThat(failure.get()).isNull();
        return result.get();
    }

    private static int depth(List<HtmlNode> nodes) {
        return nodes.stream()
                .mapToInt(node -> node instanceof HtmlNode.Element element ? 1 + depth(element.children()) : 1)
                .max()
                .orElse(0);
    }
}
