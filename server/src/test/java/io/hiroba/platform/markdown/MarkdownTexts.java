package io.hiroba.platform.markdown;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/** Texts as nobody writes them: markup of every kind in any order, with words, odd characters and attacks between. */
public class MarkdownTexts extends DomainContextBase {

    private static final String[] PIECES = {
        "*",
        "**",
        "***",
        "_",
        "~~",
        "`",
        "``",
        "```\n",
        "```java\n",
        "    code\n",
        "# ",
        "### ",
        "> ",
        ">> ",
        "- ",
        "1. ",
        "7) ",
        "---\n",
        "\n",
        "\n\n",
        "  \n",
        "\\\n",
        "\\",
        "|",
        "|a|b|\n|-|:-:|\n|c|d|\n",
        "|x\n",
        "[",
        "]",
        "](",
        ")",
        "[a](http://a.example/b)",
        "[a](javascript:alert(1))",
        "[ref]",
        "\n\n[ref]: https://r.example/\"x\n\n",
        "[d](data:text/html,<script>)",
        "![p](/data/p.png)",
        "![q](https://q.example/q.png){size=large}",
        "![f](/f.png){featured}",
        "![e](//evil.example/e.png)",
        "![s](/\\evil.example)",
        "<https://u.example/?a=1&b='2'>",
        "<m@x.example>",
        "www.w.example",
        "m@x.example",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<!--",
        "-->",
        "</p>",
        "&lt;",
        "&#1;",
        "&#xD800;",
        "&quot;",
        "\"",
        "'",
        "<",
        ">",
        "&",
        "{",
        "}",
        "\t",
        "\r",
        "\u0000",
        "\u0007",
        "\uD83D",
        "\uDE00",
        "\uD83D\uDE00",
        "e\u0301\u0302",
        "\u200B",
        "\u202E",
        "…",
        "広場",
        "が",
        "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67",
        "word ",
        "a longer run of words that fills a line ",
    };

    @Provide
    Arbitrary<String> texts() {
        var piece = Arbitraries.frequencyOf(
                Tuple.of(12, Arbitraries.of(PIECES)),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(20)),
                Tuple.of(1, Arbitraries.strings().withChars("ab \n").ofMaxLength(300)),
                Tuple.of(1, longAddress()));
        return piece.list().ofMaxSize(60).map(pieces -> String.join("", pieces));
    }

    private static Arbitrary<String> longAddress() {
        return Arbitraries.integers()
                .between(100, 2500)
                .map(length -> "[l](https://long.example/" + "x".repeat(length) + ") ");
    }
}
