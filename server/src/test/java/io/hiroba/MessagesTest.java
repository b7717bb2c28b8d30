package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.MessageFormat;
import com.ibm.icu.text.MessagePattern;
import com.ibm.icu.text.MessagePattern.ArgType;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The messages of all languages against each other and against the sources that name them. */
class MessagesTest {

    private static final Path MAIN = Path.of("src/main");
    private static final Path TEMPLATES = MAIN.resolve("jte");
    private static final Pattern KEY = Pattern.compile("[a-z]+(\\.[a-z0-9]+(-[a-z0-9]+)*)+");

    /** A message that is named by its key, and the names of its arguments up to the first that is not on the line. */
    private static final Pattern USE =
            Pattern.compile("\\b(?:text|rich|Text\\.of|hirobaText)\\(\\s*[\"`]([a-z]+\\.[a-z0-9.-]+)[\"`]");

    private static final Pattern LITERAL = Pattern.compile("[\"`]([a-z]+\\.[a-z0-9.-]*)[\"`$]");
    private static final Pattern FAMILY = Pattern.compile("[a-z]+\\.[a-z0-9.-]+[.-]");
    private static final Pattern ARGUMENT_NAME = Pattern.compile(",\\s*\"(\\w+)\"\\s*,");

    private static final Path COMPILED_TEMPLATES = compiledTemplates();
    private static final Pattern TAG =
            Pattern.compile("(?s)<(code|pre|kbd)\\b.*?</\\1>|<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>");
    private static final Pattern WORD = Pattern.compile("[^\\n]*\\p{L}{2,}[^\\n]*");
    private static final Pattern HEARD_ATTRIBUTE = Pattern.compile(
            " (?:title|aria-label|alt)=\"[^\"]*\\p{L}{2,}[^\"]*\"| placeholder=\"[^\"]*\\p{L}{2,} [^\"]*\"");

    /** Names, units and samples that are the same in every language. */
    private static final Pattern UNTRANSLATED = Pattern.compile(
            "Hiroba|広場|GitLab|Markdown|JSON|YAML|CSV|SSH|URL|API|ID\\b|Enter|Esc|Shift|Ctrl|Space|Home|End|ms\\b");

    /** A choice in an expression that is shown as it is. */
    private static final Pattern EXPRESSION_WORDS =
            Pattern.compile("(?:[?]|[^\"]:|label =|hint =|question =|yes =|intro =) \"[A-Z][a-z]+[^\"$]*\"");

    /** Classes whose words people read. */
    private static final Pattern SPEAKS =
            Pattern.compile("(/pages/|Problem\\.java$|Pages\\.java$|Mails?\\.java$|Digests?\\.java$)");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$|\"\"\".*?\"\"\"");
    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\\\n]|\\\\.)*\"");
    private static final Pattern SENTENCE = Pattern.compile("[A-Za-z]{2,}[,:]? [a-z]{2,}");

    /** Names of threads, values of the API, and what is stored. */
    private static final Set<String> NO_SENTENCES =
            Set.of("\"inbox mails\"", "\"viewer, editor, owner\"", "\", as of \"");

    private static final Pattern NOT_SHOWN = Pattern.compile(
            "(?i)\\blog\\.|Illegal(?:State|Argument)Exception|@SuppressWarnings|Pattern\\.compile|ofPattern");

    private static final Map<Language, Map<String, String>> MESSAGES = messages();
    private static final Set<String> PREFIXES = messages(Language.ENGLISH).keySet().stream()
            .map(key -> key.substring(0, key.indexOf('.')))
            .collect(Collectors.toSet());

    @ParameterizedTest
    @EnumSource(Language.class)
    void everyLanguageHasTheSameMessages(Language language) {
        assertThat(messages(language).keySet())
                .isEqualTo(messages(Language.ENGLISH).keySet());
        assertThat(messages(language)).allSatisfy((key, pattern) -> {
            assertThat(key).matches(KEY);
            assertThat(pattern).isNotBlank();
        });
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void theArgumentsOfAMessageAreTheSameInEveryLanguage(Language language) {
        assertThat(messages(language))
                .allSatisfy((key, pattern) -> assertThat(arguments(pattern))
                        .as(key)
                        .isEqualTo(arguments(messages(Language.ENGLISH).getOrDefault(key, ""))));
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void everyMessageReadsAsIcuFormatsIt(Language language) {
        assertThat(messages(language)).allSatisfy((key, pattern) -> {
            for (var value : List.<Object>of(1, 12_345L, 0.12345, "{0} it's")) {
                var plural = pattern.contains(", plural,") || pattern.contains(", number");
                var values = arguments(pattern).stream()
                        .collect(Collectors.<String, String, Object>toMap(
                                name -> name, name -> plural && value instanceof String ? 7 : value));
                assertThat(new Text(key, values).in(language))
                        .as(key)
                        .isEqualTo(new MessageFormat(pattern, language.locale()).format(values));
            }
        });
    }

    @Test
    void whatTheSourcesNameIsThere() {
        var missing = new TreeSet<String>();
        for (var file : sources()) {
            var source = read(file);
            var use = USE.matcher(source);
            while (use.find()) {
                var key = use.group(1);
                if (!key.endsWith(".")
                        && PREFIXES.contains(key.substring(0, key.indexOf('.')))
                        && !source.startsWith(" +", use.end())
                        && !messages(Language.ENGLISH).containsKey(key)) {
                    missing.add(file + ": " + key);
                }
            }
        }
        assertThat(missing).as("messages that a source names and no file has").isEmpty();
    }

    @Test
    void everyArgumentIsGiven() {
        var wrong = new TreeSet<String>();
        for (var file : sources()) {
            var source = read(file);
            var use = USE.matcher(source);
            while (use.find()) {
                var pattern = messages(Language.ENGLISH).get(use.group(1));
                var call = call(source, use.end());
                if (pattern == null || file.toString().endsWith(".js") || call.isEmpty()) {
                    continue;
                }
                var given = ARGUMENT_NAME
                        .matcher(call)
                        .results()
                        .map(name -> name.group(1))
                        .collect(Collectors.toSet());
                if (!given.containsAll(arguments(pattern))) {
                    wrong.add("%s: %s has %s, given %s"
                            .formatted(file, use.group(1), arguments(pattern), new TreeSet<>(given)));
                }
            }
        }
        assertThat(wrong).as("messages without a value for each argument").isEmpty();
    }

    @Test
    void noMessageIsUnused() {
        var used = new TreeSet<String>();
        var families = new TreeSet<String>();
        for (var file : sources()) {
            var literal = LITERAL.matcher(read(file));
            while (literal.find()) {
                (FAMILY.matcher(literal.group(1)).matches() ? families : used).add(literal.group(1));
            }
        }
        var unused = new TreeSet<>(messages(Language.ENGLISH).keySet());
        unused.removeAll(used);
        unused.removeIf(key -> families.stream().anyMatch(key::startsWith));
        assertThat(unused).as("messages that no source names").isEmpty();
    }

    @Test
    void aMessageStandsInTheFileOfItsFeature() {
        for (var file : files(TEMPLATES, ".properties")) {
            var folder = TEMPLATES.relativize(file).getParent();
            if (folder != null) {
                assertThat(properties(file).keySet())
                        .allSatisfy(key -> assertThat(key).startsWith(folder + "."));
            }
        }
    }

    @Test
    void scriptsGetOnlyWhatTheyCanFormat() {
        assertThat(MESSAGES)
                .allSatisfy((language, messages) -> messages.forEach((key, pattern) -> {
                    if (key.contains(".script.")) {
                        assertThat(kinds(pattern)).as(key).isSubsetOf(ArgType.NONE, ArgType.PLURAL);
                        assertThat(pattern.replaceAll("\\{\\w+, plural, ((\\w+ \\{[^{}]*\\} ?)+)\\}", "")
                                        .replaceAll("\\{\\w+\\}", ""))
                                .as(key)
                                .doesNotContain("{", "}");
                    }
                }));
    }

    /** What stands in a template outside of its expressions is compiled to files of bytes, in order. */
    @Test
    void noTemplateHoldsWords() {
        var breaches = new TreeSet<String>();
        for (var file : files(COMPILED_TEMPLATES, ".bin")) {
            var html = read(file);
            HEARD_ATTRIBUTE
                    .matcher(html)
                    .results()
                    .forEach(found -> breaches.add(file.getFileName() + ": " + found.group()));
            WORD.matcher(UNTRANSLATED
                            .matcher(TAG.matcher(html).replaceAll("\n"))
                            .replaceAll(""))
                    .results()
                    .forEach(found -> breaches.add(file.getFileName() + ": " + found.group()));
        }
        for (var file : files(TEMPLATES, ".jte")) {
            EXPRESSION_WORDS
                    .matcher(read(file))
                    .results()
                    .forEach(found -> breaches.add(TEMPLATES.relativize(file) + ": " + found.group()));
        }
        breaches.removeIf(breach ->
                breach.startsWith("Jteguide") || breach.startsWith("Jtecomponents") || breach.startsWith("style/"));
        assertThat(breaches).as("words that stand in a template").isEmpty();
    }

    @Test
    void noPageOrProblemHoldsASentence() {
        var breaches = new TreeSet<String>();
        for (var file : files(MAIN.resolve("java"), ".java")) {
            if (!SPEAKS.matcher(file.toString()).find()) {
                continue;
            }
            var source = COMMENT.matcher(read(file)).replaceAll("");
            STRING.matcher(source)
                    .results()
                    .filter(found -> SENTENCE.matcher(found.group()).find() && !NO_SENTENCES.contains(found.group()))
                    .filter(found -> !NOT_SHOWN
                            .matcher(source.substring(source.lastIndexOf(';', found.start()) + 1, found.start()))
                            .find())
                    .forEach(found -> breaches.add(file.getFileName() + ": " + found.group()));
        }
        assertThat(breaches).as("sentences that stand in a class").isEmpty();
    }

    /** The rest of a call after its first argument, up to its closing parenthesis. */
    private static String call(String source, int from) {
        int depth = 1;
        for (int i = from; i < source.length(); i++) {
            char character = source.charAt(i);
            depth += character == '(' ? 1 : character == ')' ? -1 : 0;
            if (depth == 0) {
                return source.substring(from, i) + " ,";
            }
        }
        return "";
    }

    private static Path compiledTemplates() {
        try {
            var layout = MessagesTest.class.getClassLoader().getResource("io/hiroba/templates/JtelayoutGenerated.bin");
            return Objects.requireNonNull(
                    Path.of(Objects.requireNonNull(layout).toURI()).getParent());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<String> arguments(String pattern) {
        var parts = new MessagePattern(pattern);
        var names = new TreeSet<String>();
        for (int i = 0; i < parts.countParts(); i++) {
            if (parts.getPartType(i) == MessagePattern.Part.Type.ARG_NAME) {
                names.add(parts.getSubstring(parts.getPart(i)));
            }
        }
        return names;
    }

    private static Set<ArgType> kinds(String pattern) {
        var parts = new MessagePattern(pattern);
        return Stream.iterate(0, i -> i < parts.countParts(), i -> i + 1)
                .map(parts::getPart)
                .filter(part -> part.getType() == MessagePattern.Part.Type.ARG_START)
                .map(MessagePattern.Part::getArgType)
                .collect(Collectors.toSet());
    }

    private static Map<String, String> messages(Language language) {
        return Objects.requireNonNull(MESSAGES.get(language));
    }

    private static Map<Language, Map<String, String>> messages() {
        var all = new TreeMap<Language, Map<String, String>>();
        for (var language : Language.values()) {
            var messages = new TreeMap<String, String>();
            files(TEMPLATES, "_" + language.code() + ".properties").forEach(file -> messages.putAll(properties(file)));
            all.put(language, messages);
        }
        return all;
    }

    private static Map<String, String> properties(Path file) {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var messages = new TreeMap<String, String>();
        properties.forEach((key, pattern) -> messages.put((String) key, (String) pattern));
        assertThat(messages).as("no key twice in " + file).hasSize(keys(file));
        return messages;
    }

    private static int keys(Path file) {
        return (int)
                read(file).lines().filter(line -> line.matches("[a-z].*=.*")).count();
    }

    private static List<Path> sources() {
        var sources = new ArrayList<Path>();
        sources.addAll(files(MAIN.resolve("java"), ".java"));
        sources.addAll(files(TEMPLATES, ".jte"));
        sources.addAll(files(MAIN.resolve("resources/assets"), ".js"));
        return sources;
    }

    private static List<Path> files(Path folder, String ending) {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
