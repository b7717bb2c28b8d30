package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds {@code requirements.md}, {@code asvs.md} and {@code threat-model.md} in docs/reference to what is there: of the first each type, member, file and test that it names exists, of the others each test. */
class RequirementsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum)\\s+(\\w+)");
    private static final Pattern METHOD = Pattern.compile("\\bvoid (\\w+)\\(");
    private static final Pattern TEST = Pattern.compile("(\\w+Test)(?:\\.(\\w+))?");
    private static final Pattern METHOD_ALONE = Pattern.compile("[a-z]\\w*[A-Z]\\w*");
    private static final Pattern MEMBER = Pattern.compile("(?:[a-z]+\\.)*([A-Z]\\w*[a-z]\\w*)((?:\\.\\w+)*)");
    private static final Pattern WORD = Pattern.compile("\\w+");

    private final Map<String, Set<String>> words = new HashMap<>(); // of the files of each type
    private final Set<String> files = new HashSet<>();
    private final Map<String, Set<String>> tests = new HashMap<>();
    private final List<String> missing = new ArrayList<>();

    @BeforeEach
    void read() throws IOException {
        for (var module : List.of("contract", "embedded", "server", "cli", "client", "client-testkit", "bench")) {
            read(ROOT.resolve(module).resolve("src"));
        }
    }

    @Test
    void theSecurityAssessmentNamesTestsThatExist() throws IOException {
        var documents = Files.readString(ROOT.resolve("docs/reference/asvs.md"))
                + Files.readString(ROOT.resolve("docs/reference/threat-model.md"));
        TEST.matcher(documents).results().forEach(match -> {
            var methods = tests.get(match.group(1));
            if (methods == null || (match.group(2) != null && !methods.contains(match.group(2)))) {
                missing.add(match.group());
            }
        });
        assertThat(missing).isEmpty();
    }

    @Test
    void everyRowNamesWhatExists() throws IOException {
        int number = 0;
        for (var line : Files.readAllLines(ROOT.resolve("docs/reference/requirements.md"))) {
            number++;
            var cells = line.split("(?<!\\\\)\\|", -1);
            if (line.startsWith("|") && cells.length > 4) {
                places(number, cells[cells.length - 3]);
                tests(number, cells[cells.length - 2]);
            }
        }
        assertThat(missing).isEmpty();
    }

    private void read(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (var all = Files.walk(folder)) {
            for (var file : all.filter(Files::isRegularFile).toList()) {
                var name = file.getFileName().toString();
                files.add(name);
                if (name.endsWith(".java")) {
                    var text = Files.readString(file);
                    var used =
                            WORD.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
                    TYPE.matcher(text)
                            .results()
                            .forEach(match -> words.computeIfAbsent(match.group(1), type -> new HashSet<>())
                                    .addAll(used));
                    var methods = tests.computeIfAbsent(name.replace(".java", ""), test -> new HashSet<>());
                    METHOD.matcher(text).results().forEach(match -> methods.add(match.group(1)));
                }
            }
        }
    }

    private void places(int line, String cell) {
        CODE.matcher(cell).results().map(match -> match.group(1)).forEach(word -> {
            var member = MEMBER.matcher(word);
            if (word.endsWith(".sql") && !word.contains("*")) {
                require(line, files.contains(word), word);
            } else if (member.matches()) {
                var known = words.getOrDefault(member.group(1), Set.of());
                require(line, !known.isEmpty(), word);
                WORD.matcher(member.group(2))
                        .results()
                        .forEach(part -> require(line, known.contains(part.group()), word));
            }
        });
    }

    /** A method that stands alone belongs to the class named before it. */
    private void tests(int line, String cell) {
        @Nullable String type = null;
        for (var word :
                CODE.matcher(cell).results().map(match -> match.group(1)).toList()) {
            var test = TEST.matcher(word);
            if (test.matches()) {
                type = test.group(1);
                require(line, tests.containsKey(type), word);
                require(line, test.group(2) == null || has(type, test.group(2)), word);
            } else if (type != null && METHOD_ALONE.matcher(word).matches()) {
                require(line, has(type, word), type + "." + word);
            }
        }
    }

    private boolean has(@Nullable String type, String method) {
        return tests.getOrDefault(type, Set.of()).contains(method);
    }

    private void require(int line, boolean exists, String word) {
        if (!exists) {
            missing.add("line " + line + ": " + word);
        }
    }
}
