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
                "```a`\n"
            })
    void aTextOfNothingButOpenersIsReadAtOnce(String opener) {
        var text = "@ann " + opener.repeat(1_000_000 / opener.length()) + " @bob";
        var mentions = assertTimeoutPreemptively(Duration.ofSeconds(5), () -> GitlabMentions.of(text));
        assertThat(mentions.addressed()).contains("ann");
        assertThat(mentions.mentioned()).as("too far behind").doesNotContain("bob");
    }

    @Test
    void manyNamesAndRunsOfEveryLengthAreReadAtOnce() {
        var names = IntStream.range(0, 10_000).mapToObj(n -> "@n" + n).collect(Collectors.joining(" and\n, "));
        var ticks = IntStream.range(1, 440).mapToObj("`"::repeat).collect(Collectors.joining(" "));
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
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
                @b2 ` @b3 <!-- @b4 <code> @b5 <codex> @b6
                ~~~
                @a7
                """;
        assertThat(GitlabMentions.of(text))
                .isEqualTo(new GitlabMentions(Set.of(), Set.of("b1", "b2", "b3", "b4", "b5", "b6")));
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
