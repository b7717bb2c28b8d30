package io.hiroba.inbox.gitlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitlabMentionsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!--",
                "<code>",
                "<pre ",
                "<code a> <!-- `",
                "`",
                "` ``",
                "```\n",
                "> ~~~ ",
                "~",
                "~~~\n~~~~\n",
                "<",
                "@",
                "@a.",
                "@a ",
                "@a/b ",
                "and ",
                " ",
                "```a`\n",
                "<?",
                "<!A ",
                "<![CDATA[",
                "<b a='",
                "<x>",
                "<b><p>",
                "<table><b>",
                "<a href='x'>",
                "</x>",
                "[a](",
                "\\@",
                "&#64;"
            })
    void aTextOfNothingButOpenersIsReadAtOnce(String opener) {
        var text = "@ann " + opener.repeat(1_000_000 / opener.length()) + " @bob";
        var mentions = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> GitlabMentions.of(text));
        assertThat(mentions.addressed()).contains("ann");
        assertThat(mentions.mentioned()).as("too far behind").doesNotContain("bob");
    }

    @Test
    void manyNamesAndRunsOfEveryLengthAreReadAtOnce() {
        var names = IntStream.range(0, 10_000).mapToObj(n -> "@n" + n).collect(Collectors.joining(" and\n, "));
        var ticks = IntStream.range(1, 440).mapToObj("`"::repeat).collect(Collectors.joining(" "));
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            assertThat(GitlabMentions.of(names).addressed()).hasSize(100);
            assertThat(GitlabMentions.of("@ann " + ticks + " @bob").mentioned()).containsExactly("bob");
        });
    }

    @Test
    void codeAndCommentsNameNobody() {
        var text = """
                See `@a1` and ``@a2 ` `` and <!-- @a3
                --> and <code class="x">@a4</code>, <pre>@a5</pre>
                ```java
                @Override
                ``` no end
                ~~~
                ```
                > ```sh `inline` @b1
                ~~~~
                @a6
                ~~~ x
                ~~~~~
                @b2 ` @b3 <!-- @b4 <codex> @b5 <code> @a8
                ~~~
                @a7
                """;
        assertThat(GitlabMentions.of(text))
                .isEqualTo(new GitlabMentions(Set.of(), Set.of("b1", "b2", "b3", "b4", "b5")));
    }

    @Test
    void whatGitlabDoesNotReadAsProseNamesNobody() {
        var text = """
                Escaped: \\@a1, but \\\\@b1.

                    @a2 in indented code

                - a list

                      @a3 in code of its item

                ![a picture of @a4](/a5.png "@a5") and <img alt="@a6" src=x> <b title='@a7'>@b2</b>
                <!--
                @a8

                @a9
                -->

                <div data-who="@a10">
                @b3
                </div>

                [see](/@a11 "@a12"), [@a13](/x), <https://example.org/@a14>, https://example.org/@a15 and
                <a16@a17.example> or a18@a19.example; [ref]

                <details><summary>@b4</summary>

                **@b5**, | @b6

                | who |
                |---|
                | @b7 |

                </details>

                [ref]: /@a20 "@a21"
                > @b8
                """;
        assertThat(GitlabMentions.of(text))
                .isEqualTo(new GitlabMentions(Set.of(), Set.of("b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8")));
        assertThat(GitlabMentions.of("\\@ann @bob").addressed()).isEmpty();
        assertThat(GitlabMentions.of("**@ann** please").addressed()).containsExactly("ann");
    }

    @Test
    void namesAtTheBeginningAreAddressed() {
        assertThat(GitlabMentions.of(" \n@Ann, @bob and @cleo: ask @dan"))
                .isEqualTo(new GitlabMentions(Set.of("ann", "bob", "cleo"), Set.of("dan")));
        assertThat(GitlabMentions.of("and @ann").addressed()).isEmpty();
        assertThat(GitlabMentions.of("`x` @ann").addressed()).isEmpty();
        assertThat(GitlabMentions.of("@ann/b @cleo")).isEqualTo(new GitlabMentions(Set.of(), Set.of("cleo")));
        assertThat(GitlabMentions.of("a@cleo.example @all")).isEqualTo(GitlabMentions.NONE);
    }
}
