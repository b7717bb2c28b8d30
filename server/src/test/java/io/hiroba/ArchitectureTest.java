package io.hiroba;

import static io.hiroba.testkit.OwnClasses.OWN_CLASSES;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.db.Batch;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Update;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The arrows of the design, who holds SQL, what is public, and the sizes and words that keep it readable. */
class ArchitectureTest {

    /** Who may use whom, and does. What is not in this table crosses through the event log, a view or a port. */
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
            Map.entry("deletion", Set.of("platform", "accounts", "saga")),
            Map.entry("system", Set.of("platform", "accounts")),
            Map.entry("backup", Set.of("platform", "embedded")),
            Map.entry("search", Set.of("platform", "accounts")),
            Map.entry("mcp", Set.of("platform", "accounts")),
            Map.entry("webhooks", Set.of("platform", "accounts")),
            Map.entry("agents", Set.of("platform", "accounts", "social", "knowledge", "mcp")),
            Map.entry("demo", Set.of("platform", "accounts", "social")));

    /** The types through which statements are written. */
    private static final Set<String> STATEMENTS =
            Set.of(Query.class.getName(), Update.class.getName(), Batch.class.getName());

    /** Public types that no other feature uses: sub-packages need them. Raise a number only for a new part of the feature. */
    private static final Map<String, Integer> MAX_PUBLIC_WITHIN = Map.ofEntries(
            Map.entry("accounts", 30),
            Map.entry("social", 31),
            Map.entry("activity", 13),
            Map.entry("inbox", 71),
            Map.entry("saga", 57),
            Map.entry("records", 159),
            Map.entry("knowledge", 70),
            Map.entry("agents", 20),
            Map.entry("platform", 12));

    private static final int MAX_LINES = 400;
    private static final int MAX_PARAMETERS = 7;
    private static final int MAX_ROOT_FILES = 10;
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void featuresUseOnlyWhatTheTableAllows() {
        var breaches = new TreeSet<String>();
        for (var type : OWN_CLASSES) {
            var from = feature(type);
            var allowed = MAY_USE.get(from);
            if (allowed == null) {
                continue;
            }
            targets(type)
                    .filter(target ->
                            !feature(target).equals(from) && !feature(target).isEmpty())
                    .filter(target -> !allowed.contains(feature(target)))
                    .forEach(target -> breaches.add(type.getName() + " → " + target.getName()));
        }
        assertThat(breaches).isEmpty();
    }

    @Test
    void theTableNamesOnlyWhatExists() {
        var used = new TreeMap<String, Set<String>>();
        for (var type : OWN_CLASSES) {
            var from = feature(type);
            if (MAY_USE.containsKey(from)) {
                var to = used.computeIfAbsent(from, feature -> new TreeSet<>());
                targets(type)
                        .map(ArchitectureTest::feature)
                        .filter(feature -> MAY_USE.containsKey(feature) || feature.equals("embedded"))
                        .filter(feature -> !feature.equals(from))
                        .forEach(to::add);
            }
        }
        assertThat(used).isEqualTo(new TreeMap<>(MAY_USE));
    }

    @Test
    void everyFeatureStandsInTheTable() {
        var others = Set.of("", "app", "embedded", "templates");
        assertThat(OWN_CLASSES.stream().map(ArchitectureTest::feature).collect(Collectors.toSet()))
                .allMatch(feature -> others.contains(feature) || MAY_USE.containsKey(feature));
    }

    @Test
    void sqlIsWrittenOnlyInStores() {
        var breaches = OWN_CLASSES.stream()
                .filter(type -> MAY_USE.containsKey(feature(type)))
                .filter(type -> !type.getPackageName().equals("io.hiroba.platform.db"))
                .filter(type -> !topLevel(type).getSimpleName().endsWith("Store"))
                .filter(type -> targets(type).anyMatch(target -> STATEMENTS.contains(target.getName())))
                .map(type -> topLevel(type).getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(breaches)
                .as("types that talk to the database and are no stores")
                .isEmpty();
    }

    @Test
    void aFeatureIsComposedByItsModuleAlone() throws IOException {
        var modules = OWN_CLASSES.stream()
                .filter(type -> type.isAssignableTo(FeatureModule.class) && !type.isInterface())
                .map(ArchitectureTest::feature)
                .collect(Collectors.toSet());
        var features = new TreeSet<>(MAY_USE.keySet());
        features.removeAll(Set.of("contract", "platform", "demo"));
        assertThat(modules).containsAll(features);
        try (var files = Files.list(ROOT.resolve("server/src/main/java/io/hiroba"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".java"))).hasSizeLessThan(MAX_ROOT_FILES);
        }
    }

    @Test
    void whatOnlyItsPackageUsesIsNotPublic() throws IOException {
        var usedFromOutside = new TreeSet<String>();
        for (var type : OWN_CLASSES) {
            targets(type)
                    .filter(target -> !target.getPackageName().equals(type.getPackageName()))
                    .forEach(target -> usedFromOutside.add(topLevel(target).getName()));
        }
        // Constants and annotations leave no trace in the classes of their users, and tests are not among the classes.
        usedFromOutside.addAll(importsOf("server", "bench", "cli"));
        var breaches = OWN_CLASSES.stream()
                .filter(type ->
                        MAY_USE.containsKey(feature(type)) && !feature(type).equals("contract"))
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getName)
                .filter(name -> !usedFromOutside.contains(name) && !name.endsWith("package-info"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(breaches).isEmpty();
    }

    @Test
    void fewTypesArePublicThatNoOtherFeatureUses() {
        var usedByOthers = new TreeSet<String>();
        for (var type : OWN_CLASSES) {
            targets(type)
                    .filter(target -> !feature(target).equals(feature(type)))
                    .filter(target -> !feature(type).equals("templates"))
                    .forEach(target -> usedByOthers.add(topLevel(target).getName()));
        }
        var counts = new TreeMap<String, Integer>();
        OWN_CLASSES.stream()
                .filter(type -> MAX_PUBLIC_WITHIN.containsKey(feature(type)))
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> !usedByOthers.contains(type.getName()))
                .forEach(type -> counts.merge(feature(type), 1, Integer::sum));
        assertThat(counts).isEqualTo(new TreeMap<>(MAX_PUBLIC_WITHIN));
    }

    @Test
    void aSimpleNameIsUsedOnce() {
        var byName = new HashMap<String, Set<String>>();
        OWN_CLASSES.stream()
                .filter(type ->
                        MAY_USE.containsKey(feature(type)) && !feature(type).equals("contract"))
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .forEach(type -> byName.computeIfAbsent(type.getSimpleName(), name -> new TreeSet<>())
                        .add(type.getName()));
        assertThat(byName.values()).allSatisfy(types -> assertThat(types).hasSize(1));
    }

    @Test
    void theFirstSentenceOfATypeDefinesIt() throws IOException {
        var definition =
                Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?(What|Who|Whom|Whose|How|Where|When|Why|Whether|Something|Those"
                        + "|That|It)\\b(?:(?!\\*/)[\\s\\S])*?\\*/\\s*(?:@[\\w.]+(?:\\([^)]*\\))?\\s+)*"
                        + "(?:(?:public|private|protected|abstract|static|final|sealed|non-sealed)\\s+)*"
                        + "(?:class|record|interface|enum|@interface)\\s+(\\w+)");
        var breaches = new TreeSet<String>();
        for (var file : sources(
                "server/src/main",
                "embedded/src/main",
                "cli/src/main",
                "client/src/main",
                "client-testkit/src/main",
                "bench/src/main")) {
            definition
                    .matcher(Files.readString(file))
                    .results()
                    .forEach(match -> breaches.add(
                            ROOT.relativize(file) + ": " + match.group(2) + " begins with " + match.group(1)));
        }
        assertThat(breaches).isEmpty();
    }

    @Test
    void constructorsTakeAtMostSevenParameters() {
        var breaches = OWN_CLASSES.stream()
                .filter(type ->
                        !type.isRecord() && !type.isEnum() && !feature(type).equals("templates"))
                .flatMap(type -> type.getConstructors().stream())
                .filter(constructor -> !constructor.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(constructor -> constructor.getRawParameterTypes().size() > MAX_PARAMETERS)
                .map(constructor -> constructor.getFullName())
                .toList();
        assertThat(breaches).isEmpty();
    }

    @Test
    void noSourceFileIsLongerThan400Lines() throws IOException {
        var breaches = new TreeSet<String>();
        for (var file : sources("contract", "embedded", "server", "cli", "client", "client-testkit", "bench")) {
            long lines = Files.readAllLines(file).size();
            if (lines > MAX_LINES) {
                breaches.add(ROOT.relativize(file) + " has " + lines + " lines");
            }
        }
        assertThat(breaches).isEmpty();
    }

    private static Stream<JavaClass> targets(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType());
    }

    private static JavaClass topLevel(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::topLevel).orElse(type);
    }

    private static List<Path> sources(String... folders) throws IOException {
        var found = new TreeSet<Path>();
        for (var folder : folders) {
            try (var files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !ROOT.relativize(file).toString().contains("target"))
                        .forEach(found::add);
            }
        }
        return List.copyOf(found);
    }

    private static Set<String> importsOf(String... modules) throws IOException {
        var line = Pattern.compile("^import (?:static )?(io\\.hiroba\\.[a-z.]+\\.[A-Z]\\w*)", Pattern.MULTILINE);
        var found = new TreeSet<String>();
        for (var file : sources(modules)) {
            line.matcher(Files.readString(file)).results().forEach(match -> found.add(match.group(1)));
        }
        return found;
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
