package io.hiroba;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.hiroba.platform.db.Batch;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Update;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The arrows of the design, and the sizes that keep it readable. */
class ArchitectureTest {

    /** What only stores may use. */
    private static final Set<String> STATEMENTS =
            Set.of(Query.class.getName(), Update.class.getName(), Batch.class.getName());

    /** Who may use whom. What is not in this table crosses through the event log. */
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("contract", Set.of()),
            Map.entry("platform", Set.of()),
            Map.entry("accounts", Set.of("platform")),
            Map.entry("social", Set.of("platform", "accounts")),
            Map.entry("activity", Set.of("platform", "accounts", "social")),
            Map.entry("inbox", Set.of("platform", "accounts")),
            Map.entry("saga", Set.of("contract", "platform", "accounts")),
            Map.entry("records", Set.of("platform", "accounts")),
            Map.entry("knowledge", Set.of("platform", "accounts")),
            Map.entry("agents", Set.of("platform", "accounts", "social", "knowledge")),
            Map.entry("demo", Set.of("platform", "accounts", "social")));

    private static final int LONGEST_FILE = 400;
    private static final int MOST_PARAMETERS = 7;
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.hiroba");

    @Test
    void featuresUseOnlyWhatTheTableAllows() {
        var breaches = new TreeSet<String>();
        for (JavaClass type : CLASSES) {
            var from = feature(type);
            if (!MAY_USE.containsKey(from)) {
                continue;
            }
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                var to = feature(dependency.getTargetClass());
                if (!to.equals(from) && !to.isEmpty() && !MAY_USE.get(from).contains(to)) {
                    breaches.add(
                            type.getName() + " → " + dependency.getTargetClass().getName());
                }
            }
        }
        assertThat(breaches).isEmpty();
    }

    @Test
    void everyFeatureStandsInTheTable() {
        var unknown = CLASSES.stream()
                .map(ArchitectureTest::feature)
                .filter(feature -> !feature.isEmpty() && !feature.equals("app"))
                .filter(feature -> !feature.equals("embedded") && !feature.equals("templates"))
                .filter(feature -> !MAY_USE.containsKey(feature))
                .distinct()
                .toList();
        assertThat(unknown).isEmpty();
    }

    @Test
    void sqlIsWrittenOnlyInStores() {
        var breaches = CLASSES.stream()
                .filter(type -> Set.of("platform").contains(feature(type)) || MAY_USE.containsKey(feature(type)))
                .filter(type -> type.getSimpleName().endsWith("Routes")
                        || type.getSimpleName().endsWith("Pages")
                        || type.getSimpleName().endsWith("Grpc"))
                .filter(type -> type.getDirectDependenciesFromSelf().stream()
                        .anyMatch(dependency ->
                                STATEMENTS.contains(dependency.getTargetClass().getName())))
                .map(JavaClass::getName)
                .toList();
        assertThat(breaches).as("routes and pages that talk to the database").isEmpty();
    }

    @Test
    void constructorsTakeAtMostSevenParameters() {
        var breaches = CLASSES.stream()
                .filter(type ->
                        !type.isRecord() && !type.isEnum() && !feature(type).equals("templates"))
                .flatMap(type -> type.getConstructors().stream())
                .filter(constructor -> !constructor.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(constructor -> constructor.getRawParameterTypes().size() > MOST_PARAMETERS)
                .map(constructor -> constructor.getFullName())
                .toList();
        assertThat(breaches).isEmpty();
    }

    @Test
    void noSourceFileIsLongerThan400Lines() throws IOException {
        var breaches = new TreeSet<String>();
        for (var module : List.of("contract", "embedded", "server", "cli", "bench")) {
            try (var files = Files.walk(ROOT.resolve(module))) {
                for (var file : files.filter(f -> f.toString().endsWith(".java"))
                        .filter(f -> !f.toString().contains("target"))
                        .toList()) {
                    long lines = Files.readAllLines(file).size();
                    if (lines > LONGEST_FILE) {
                        breaches.add(ROOT.relativize(file) + " has " + lines + " lines");
                    }
                }
            }
        }
        assertThat(breaches).isEmpty();
    }

    /** The first package below {@code io.hiroba}; "app" for the composition root, empty for what is not ours. */
    private static String feature(JavaClass type) {
        var name = type.getPackageName();
        if (name.equals("io.hiroba")) {
            return "app";
        }
        return name.startsWith("io.hiroba.")
                ? name.substring("io.hiroba.".length()).split("\\.", 2)[0]
                : "";
    }
}
