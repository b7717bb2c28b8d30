package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Japanese README and guides against the English ones: the same headings, commands, tables and links, in the same order. */
class TranslatedDocsTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern COMMENT = Pattern.compile("\\s*#.*$|^--.*$");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README",
                "docs/guides/admin",
                "docs/guides/agents",
                "docs/guides/apps",
                "docs/guides/backup",
                "docs/guides/events",
                "docs/guides/inbox",
                "docs/guides/install",
                "docs/guides/knowledge",
                "docs/guides/mcp",
                "docs/guides/operations",
                "docs/guides/records",
                "docs/guides/second-factors",
                "docs/guides/sign-in",
                "docs/guides/workers",
                "docs/guides/workflows",
                "docs/guides/your-data"
            })
    void theJapaneseTextHasTheSameStructure(String document) {
        var english = lines(document + ".md");
        var japanese = lines(document + ".ja.md");
        assertThat(structure(japanese)).isEqualTo(structure(english));
        assertThat(links(japanese)).containsExactlyInAnyOrderElementsOf(links(english));
        linksLeadToHeadings(document + ".md", english);
        linksLeadToHeadings(document + ".ja.md", japanese);
    }

    private static void linksLeadToHeadings(String document, List<String> lines) {
        LINK.matcher(String.join("\n", lines))
                .results()
                .map(link -> link.group(1))
                .forEach(link -> {
                    int hash = link.indexOf('#');
                    if (hash >= 0 && !link.contains("://")) {
                        var target = hash == 0
                                ? lines
                                : lines(Path.of(document)
                                        .resolveSibling(link.substring(0, hash))
                                        .normalize()
                                        .toString());
                        assertThat(headings(target)).as(document).contains(link.substring(hash + 1));
                    }
                });
    }

    private static List<String> headings(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.substring(line.indexOf(' ') + 1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /** The levels of headings, the code without its comments, and the number of rows of each table. */
    private static List<String> structure(List<String> lines) {
        var structure = new ArrayList<String>();
        boolean isCode = false;
        for (var line : lines) {
            if (line.startsWith("```")) {
                isCode = !isCode;
                structure.add(line);
            } else if (isCode) {
                structure.add(COMMENT.matcher(line).replaceAll(""));
            } else if (line.startsWith("#")) {
                structure.add(line.substring(0, line.indexOf(' ')));
            } else if (line.startsWith("|")) {
                structure.add("|");
            }
        }
        return structure;
    }

    /** Where links lead; one to a document that has a Japanese version leads to that, and one to a heading has it in its language. */
    private static List<String> links(List<String> lines) {
        return LINK.matcher(String.join("\n", lines))
                .results()
                .map(link -> link.group(1).replace(".ja.md", ".md").replaceFirst("#.*", "#"))
                .toList();
    }

    private static List<String> lines(String name) {
        try {
            return Files.readAllLines(ROOT.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
