package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;

/** {@code ./hiroba test --fast} leaves out what is tagged: what costs most must be. */
class TagsTest {

    private static final Path SOURCES = Path.of("src/test/java");
    private static final Pattern SLOW = Pattern.compile("\\b(ChildJvm|LargeSquare|ManyRecords)\\b");

    @Test
    void whatOpensABrowserIsTaggedSo() throws IOException {
        assertThat(untagged("browser", file -> holdsABrowser(type(file)))).isEmpty();
    }

    @Test
    void whatStartsProcessesOrFillsLargeTablesIsTaggedSlow() throws IOException {
        assertThat(untagged("slow", file -> SLOW.matcher(read(file)).find())).isEmpty();
    }

    private static List<Path> untagged(String tag, Predicate<Path> costs) throws IOException {
        try (var files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith("Test.java") && !file.endsWith("TagsTest.java"))
                    .filter(costs)
                    .filter(file -> AnnotationSupport.findRepeatableAnnotations(type(file), Tag.class).stream()
                            .noneMatch(annotation -> annotation.value().equals(tag)))
                    .toList();
        }
    }

    private static boolean holdsABrowser(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
                .flatMap(each -> Arrays.stream(each.getDeclaredFields()))
                .anyMatch(field -> field.getType().equals(Browser.class));
    }

    private static Class<?> type(Path file) {
        var name = SOURCES.relativize(file).toString().replace(".java", "").replace('/', '.');
        try {
            return Class.forName(name, false, TagsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
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
