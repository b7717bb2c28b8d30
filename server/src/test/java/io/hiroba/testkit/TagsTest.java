package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;

/** {@code ./hiroba test --fast} leaves out what is tagged: what costs most must be. */
class TagsTest {

    private static final List<JavaClass> CLASSES = new ClassFileImporter()
            .importUrl(TagsTest.class.getProtectionDomain().getCodeSource().getLocation()).stream()
                    .filter(type ->
                            type.isTopLevelClass() && !type.getPackageName().equals(TagsTest.class.getPackageName()))
                    .toList();

    @Test
    void whatOpensABrowserIsTaggedSo() {
        assertThat(untagged("browser", TagsTest::holdsABrowser)).isEmpty();
    }

    @Test
    void whatStartsProcessesToKillIsTaggedSlow() {
        assertThat(untagged("slow", type -> uses(type, ChildJvm.class))).isEmpty();
    }

    private static List<String> untagged(String tag, Predicate<JavaClass> costs) {
        return CLASSES.stream()
                .filter(costs)
                .map(JavaClass::reflect)
                .filter(type -> AnnotationSupport.findRepeatableAnnotations(type, Tag.class).stream()
                        .noneMatch(annotation -> annotation.value().equals(tag)))
                .map(Class::getName)
                .toList();
    }

    private static boolean holdsABrowser(JavaClass type) {
        return type.getAllFields().stream().anyMatch(field -> field.getRawType().isEquivalentTo(Browser.class));
    }

    private static boolean uses(JavaClass type, Class<?> other) {
        return type.getDirectDependenciesFromSelf().stream()
                .anyMatch(dependency -> dependency.getTargetClass().isEquivalentTo(other));
    }
}
