package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The launcher in the languages of shells. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LauncherLanguageTest {

    private static final Map<String, String> JAPANESE = Map.of("LANG", "ja_JP.UTF-8");
    private static final Map<String, String> CHINESE = Map.of("LANG", "zh_CN.UTF-8");

    private static final Pattern TEXT = Pattern.compile("(?m)^    ([a-z-]+)\\) say (.*) ;;$");
    private static final Pattern ARGUMENT = Pattern.compile("\\$[1-9]");
    private static final Pattern USE = Pattern.compile("(?<![$\\w])text \"?([a-z]+(?:-[a-z]+)*)(-\\$)?");

    private final Checkout checkout;

    LauncherLanguageTest(@TempDir Path folder) throws IOException {
        checkout = new Checkout(folder);
    }

    @Test
    void everyTextIsThereWithItsArguments() throws IOException {
        var english = texts("en");

        assertThat(english).isNotEmpty();
        assertThat(texts("ja")).isEqualTo(english);
        assertThat(texts("zh")).isEqualTo(english);
    }

    @Test
    void everyTextThatIsSaidIsThereAndEveryOneThatIsThereIsSaid() throws IOException {
        var known = texts("en").keySet();
        var said = new HashSet<String>();
        try (var parts = Files.list(checkout.root().resolve("launcher"))) {
            for (Path part : parts.filter(each -> !each.getFileName().toString().startsWith("messages_"))
                    .toList()) {
                USE.matcher(Files.readString(part).replaceAll("(?m)(^| )# .*|local .*", ""))
                        .results()
                        .forEach(use -> said.addAll(meant(known, use)));
            }
        }

        assertThat(said).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void theShellsLocaleDecides() throws Exception {
        assertThat(checkout.run(JAPANESE, "help").out()).startsWith("使い方：./hiroba <コマンド>\n");
        assertThat(checkout.run(CHINESE, "help").out()).startsWith("用法：./hiroba <命令>\n");
        assertThat(checkout.run(Map.of("LANG", "de_DE.UTF-8"), "help").out()).startsWith("Usage: ./hiroba <command>\n");
        assertThat(checkout.run(Map.of("LANG", "ja_JP.UTF-8", "LC_ALL", "C"), "help")
                        .out())
                .startsWith("Usage:");
        assertThat(checkout.run(Map.of("LC_MESSAGES", "zh_CN", "LANG", "C"), "help")
                        .out())
                .startsWith("用法：");
    }

    @Test
    void whatIsRunningAndWhatIsMissingIsToldInTheLanguage() throws Exception {
        var status = checkout.run(JAPANESE, "status", "--data", "/nowhere");
        assertThat(status.code()).isEqualTo(3);
        assertThat(status.out()).isEqualTo("/nowhereのHirobaは動いていません。起動するには：./hiroba up\n");
        assertThat(checkout.run(CHINESE, "up", "--port", "x").out())
                .isEqualTo("hiroba: --port 应为不大于 65535 的数字，而不是 x。\n");
        checkout.program("mvn", "");
        assertThat(checkout.run(JAPANESE, "doctor").out())
                .contains("Hirobaの実行に必要なもの：\n  ✓ JDK          ", "\n  ✓ ディスク     ", "\n  – データベース ");
    }

    @Test
    void theClientSpeaksTheSameLanguageAndUnderstandsItWithoutItsLocale(@TempDir Path jars) throws Exception {
        checkout.mavenWithJarsOf(Checkout.jars(jars));

        assertThat(checkout.run(JAPANESE, "whoami", "広場").out()).contains("cliをビルドしています", "余分な引数です：広場\n");
        assertThat(checkout.run(Map.of("LANG", "zh_CN.GB18030"), "whoami", "广场").out())
                .contains("多余的参数：广场\n");
        assertThat(checkout.run(JAPANESE, "config").out())
                .as("the server speaks it too")
                .contains("language: ja\n");
    }

    /** The arguments that each text takes. */
    private Map<String, Set<String>> texts(String language) throws IOException {
        var file = checkout.root().resolve("launcher/messages_" + language + ".sh");
        var texts = new TreeMap<String, Set<String>>();
        TEXT.matcher(Files.readString(file))
                .results()
                .forEach(text -> texts.put(
                        text.group(1),
                        ARGUMENT.matcher(text.group(2))
                                .results()
                                .map(MatchResult::group)
                                .collect(Collectors.toCollection(TreeSet::new))));
        return texts;
    }

    /** A key that ends with a variable stands for all that begin with it. */
    private static Set<String> meant(Set<String> known, MatchResult use) {
        return use.group(2) == null
                ? Set.of(use.group(1))
                : known.stream()
                        .filter(key -> key.startsWith(use.group(1) + "-"))
                        .collect(Collectors.toSet());
    }
}
