package io.hiroba.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StylesheetsTest {

    private static final Path ASSETS = Path.of("src", "main", "resources", "assets");
    private static final Path TEMPLATES = Path.of("src", "main", "jte");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

    static List<String> features() throws IOException {
        try (var files = Files.list(ASSETS)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".css") && !name.equals("app.css"))
                    .map(name -> name.substring(0, name.length() - ".css".length()))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("features")
    void aFeaturesStylesHoldOnlyBelowItsOwnClass(String feature) throws IOException {
        var css = Files.readString(ASSETS.resolve(feature + ".css"));
        assertThat(preludes(css))
                .isNotEmpty()
                .allMatch(prelude -> prelude.equals(":where(.feature-" + feature + ")")
                        || prelude.startsWith("@keyframes " + feature + "-"));
    }

    @Test
    void everyFolderOfPagesHasAStylesheet() throws IOException {
        try (var folders = Files.list(TEMPLATES)) {
            assertThat(folders.filter(StylesheetsTest::hasPages)
                            .map(folder -> folder.getFileName().toString())
                            .filter(name -> !name.equals("part")))
                    .containsExactlyInAnyOrderElementsOf(features());
        }
    }

    /** One without has the messages of a feature alone. */
    private static boolean hasPages(Path folder) {
        var names = folder.toFile().list((in, name) -> name.endsWith(".jte"));
        return names != null && names.length > 0;
    }

    @Test
    void aRuleOutsideIsNoticed() {
        assertThat(
                        preludes(
                                "/* a */ .action { color: red; }\n:where(.feature-social) { .post { & a { top: 0; } } } @keyframes beat { to { top: 0; } }"))
                .containsExactly(".action", ":where(.feature-social)", "@keyframes beat");
    }

    /** What stands before each of the outermost blocks. */
    private static List<String> preludes(String css) {
        var preludes = new ArrayList<String>();
        var prelude = new StringBuilder();
        int depth = 0;
        for (char each : COMMENT.matcher(css).replaceAll("").toCharArray()) {
            if (each == '{' && depth++ == 0) {
                preludes.add(prelude.toString().strip());
                prelude.setLength(0);
            } else if (each == '}') {
                depth--;
            } else if (depth == 0) {
                prelude.append(each);
            }
        }
        return preludes;
    }
}
