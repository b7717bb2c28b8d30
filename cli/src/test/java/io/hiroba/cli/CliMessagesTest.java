package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** The texts of the client: none is missing in a language, and none is there for nothing. */
class CliMessagesTest {

    private static final Path SOURCES = Path.of("src/main/java/io/hiroba/cli");
    private static final Pattern ARGUMENT = Pattern.compile("%(?:(\\d+)\\$)?,?([sd])");
    private static final Pattern USE = Pattern.compile("\\b(?:text|find)\\(\\s*\"([^\"]+)\"");
    private static final Pattern LITERAL = Pattern.compile("\"([a-z0-9]+[.][a-z0-9.-]+)\"");
    private static final Pattern OTHER_SCRIPT = Pattern.compile("[\\u3000-\\u9fff\\uff00-\\uffef]");

    @ParameterizedTest
    @EnumSource(CliLanguage.class)
    void everyTextIsThereWithItsArguments(CliLanguage language) {
        var english = CliLanguage.ENGLISH.texts("messages");
        var texts = language.texts("messages");

        assertThat(texts.keySet()).isEqualTo(english.keySet());
        assertThat(texts.keySet())
                .allSatisfy(key -> assertThat(arguments(texts.getString(key)))
                        .as(key)
                        .isEqualTo(arguments(english.getString(key))));
    }

    @Test
    void everyTextThatIsSaidIsThereAndEveryOneThatIsThereIsSaid() throws IOException {
        var known = CliLanguage.ENGLISH.texts("messages").keySet();
        var helped = CliLanguage.JAPANESE.texts("help").keySet();
        var literals = new TreeSet<String>();
        for (var source : sources().entrySet()) {
            var said = USE.matcher(source.getValue()).results().map(use -> use.group(1));
            var there = source.getKey().equals("UsageErrors.java") ? helped : known;
            assertThat(said).as(source.getKey()).allMatch(key -> has(there, key));
            LITERAL.matcher(source.getValue()).results().forEach(literal -> literals.add(literal.group(1)));
        }

        assertThat(known).allMatch(key -> literals.stream().anyMatch(said -> has(Set.of(key), said)));
    }

    @ParameterizedTest
    @EnumSource(value = CliLanguage.class, names = "ENGLISH", mode = EnumSource.Mode.EXCLUDE)
    void everyCommandIsDescribed(CliLanguage language, @TempDir Path home) {
        var english = described(home, CliLanguage.ENGLISH);
        var others = described(home, language);

        assertThat(others.keySet()).isEqualTo(english.keySet()).hasSizeGreaterThan(300);
        assertThat(others).allSatisfy((what, text) -> assertThat(text).as(what).containsPattern(OTHER_SCRIPT));
        // A text that commands share by an option's name alone must not say of one what holds for another.
        var meanings = new HashMap<String, String>();
        others.forEach((what, text) -> assertThat(english.get(what))
                .as(what)
                .isEqualTo(meanings.computeIfAbsent(text, _ -> english.get(what))));
    }

    @Test
    void helpHasTheSameKeysInEachLanguage() {
        assertThat(CliLanguage.CHINESE.texts("help").keySet())
                .isEqualTo(CliLanguage.JAPANESE.texts("help").keySet());
    }

    private static Map<String, String> sources() throws IOException {
        var sources = new TreeMap<String, String>();
        try (var files = Files.list(SOURCES)) {
            for (var file : files.toList()) {
                sources.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return sources;
    }

    /** A key that ends with a dot stands for all that begin with it. */
    private static boolean has(Set<String> keys, String key) {
        return key.endsWith(".") ? keys.stream().anyMatch(each -> each.startsWith(key)) : keys.contains(key);
    }

    private static Map<Integer, String> arguments(String pattern) {
        var arguments = new TreeMap<Integer, String>();
        var found = ARGUMENT.matcher(pattern);
        for (int next = 1; found.find(); ) {
            int position = found.group(1) == null ? next++ : Integer.parseInt(found.group(1));
            arguments.put(position, found.group(2));
        }
        return arguments;
    }

    /** What the help says of each command, option and parameter. */
    private static Map<String, String> described(Path home, CliLanguage language) {
        var texts = new TreeMap<String, String>();
        describe(Cli.commands(new CliRunner(home).with("LANG", language.tag()).surroundings()), texts);
        return texts;
    }

    private static void describe(CommandLine line, Map<String, String> texts) {
        var command = line.getCommandSpec();
        var name = command.qualifiedName(" ");
        texts.put(name, String.join("\n", command.usageMessage().description()));
        for (ArgSpec argument : command.args()) {
            texts.put(name + " " + argument, String.join("\n", argument.description()));
        }
        line.getSubcommands().values().forEach(each -> describe(each, texts));
    }
}
