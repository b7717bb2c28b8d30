package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The launcher where nothing is running: what it says, what it needs and when it builds. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LauncherTest {

    @TempDir
    static Path jars;

    private final Checkout checkout;

    LauncherTest(@TempDir Path folder) throws IOException {
        checkout = new Checkout(folder);
    }

    @BeforeAll
    static void buildJars() throws IOException {
        Checkout.jars(jars);
    }

    @BeforeEach
    void aMavenThatSucceeds() throws IOException {
        checkout.mavenWithJarsOf(jars);
    }

    @Test
    void helpAndVersionNeedNothing() throws Exception {
        assertThat(checkout.run("help").out()).contains("up [--port 8080]", "doctor", "./hiroba login");
        assertThat(checkout.run().out()).contains("Usage:");
        assertThat(checkout.run("version").out())
                .startsWith("Hiroba 1.2.3\nJava 25")
                .contains("\nPostgreSQL");
        assertThat(checkout.mavenCalls()).isZero();
    }

    @Test
    void aMissingJdkIsNamedWithWhatToInstall() throws Exception {
        Path old = Files.createDirectories(checkout.home().resolve("jdk-17/bin"));
        Files.writeString(old.resolveSibling("release"), "JAVA_VERSION=\"17.0.1\"\n");
        Path java = checkout.program("java", "exit 1\n");
        Files.move(java, old.resolve("java"));
        Files.createSymbolicLink(java, old.resolve("java"));

        var outcome = checkout.run(
                Map.of("HIROBA_JAVA_HOME", "", "HIROBA_JVMS", checkout.home().toString()), "up");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("No JDK 25 or newer was found.", "JDK 25)", "HIROBA_JAVA_HOME");
    }

    @Test
    void aChosenJdkThatIsTooOldIsNotReplacedSilently() throws Exception {
        var outcome = checkout.run(Map.of("HIROBA_JAVA_HOME", "/nowhere"), "up");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("HIROBA_JAVA_HOME is /nowhere, which is not a JDK 25");
    }

    @Test
    void aMissingMavenIsNamedWithWhatToInstall() throws Exception {
        Files.delete(checkout.program("mvn", ""));

        var outcome = checkout.run("up");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("Maven, which builds Hiroba, was not found. Install it:");
    }

    @Test
    void doctorWorksBeforeAnythingIsBuilt() throws Exception {
        var outcome = checkout.run("doctor");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains(
                        "✓ JDK",
                        "✓ Maven",
                        "✓ disk",
                        "./hiroba up builds it",
                        "– clock",
                        "– browser",
                        "– redis",
                        "– database");
        assertThat(checkout.run(Map.of("HIROBA_JAVA_HOME", "/nowhere"), "doctor")
                        .out())
                .contains("✗ JDK");
    }

    @Test
    void onlyWhatIsStaleIsBuilt() throws Exception {
        checkout.run("whoami", "--url", "http://127.0.0.1:1");
        assertThat(checkout.mavenCalls()).isEqualTo(1);
        assertThat(Files.readString(checkout.root().resolve("calls"))).contains("-pl cli -am package");

        checkout.run("whoami", "--url", "http://127.0.0.1:1");
        checkout.write("server/src/main/java/B.java", "class B {}");
        checkout.write("cli/src/test/java/CTest.java", "class CTest {}");
        checkout.write("cli/target/classes/D.class", "");
        checkout.run("whoami", "--url", "http://127.0.0.1:1");
        assertThat(checkout.mavenCalls()).isEqualTo(1);

        checkout.write("cli/src/main/java/C.java", "class C {}");
        checkout.run("whoami", "--url", "http://127.0.0.1:1");
        assertThat(checkout.mavenCalls()).isEqualTo(2);

        Files.delete(checkout.root().resolve("cli/src/main/java/C.java"));
        checkout.run("whoami", "--url", "http://127.0.0.1:1");
        assertThat(checkout.mavenCalls()).isEqualTo(3);
    }

    @Test
    void aFailedBuildShowsItsErrorsAndIsTriedAgain() throws Exception {
        checkout.program("mvn", "echo '[INFO] fine'; echo '[ERROR] A.java:[1,1] not Java'; exit 1\n");

        var outcome = checkout.run("up");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("[ERROR] A.java:[1,1] not Java", "The build failed", "build.log");
        assertThat(outcome.out()).doesNotContain("[INFO]");
        assertThat(checkout.run("up").out()).contains("The build failed");
    }

    @Test
    void aCommandHasItsOwnHelpAndNothingIsBuiltForIt() throws Exception {
        var help = checkout.run("help", "restore");
        assertThat(help.code()).isZero();
        assertThat(help.out())
                .startsWith("./hiroba restore --from FOLDER")
                .contains("restore --feature saga")
                .doesNotContain("--demo");
        assertThat(checkout.run("up", "--help").out())
                .startsWith("./hiroba up [--port 8080]")
                .contains("--demo fills")
                .doesNotContain("stop [");
        assertThat(checkout.run("backup", "--to", "x", "-h").out()).contains(", backup verify [--from FOLDER]");
        assertThat(checkout.run("help", "help").out()).isEqualTo("./hiroba version, help\n");
        assertThat(checkout.run("--version").out()).startsWith("Hiroba 1.2.3");
        assertThat(checkout.mavenCalls()).isZero();
    }

    @Test
    void aShellInTheDatabaseNeedsAServerThatRunsAndBuildsNothingToSaySo() throws Exception {
        var stopped = checkout.run("psql", "-c", "SELECT 1");
        assertThat(stopped.code()).isEqualTo(3);
        assertThat(stopped.out()).contains("Hiroba is not running on");
        var own = checkout.run(Map.of("HIROBA_DATABASE_URL", "postgresql://db.example/hiroba"), "pg_dump", "-Fc");
        assertThat(own.code()).isEqualTo(2);
        assertThat(own.out()).contains("use pg_dump with the address in database.url");
        assertThat(checkout.run("psql", "--help").out()).startsWith("./hiroba psql [--data DIR] [--write]");
        assertThat(checkout.mavenCalls()).isZero();
    }

    @Test
    void aWordThatIsNoCommandIsAnsweredWithTheNearestAndBuildsNothing() throws Exception {
        for (var meant : Map.of("down", "stop", "start", "up", "statsu", "status", "agents", "agent")
                .entrySet()) {
            var unknown = checkout.run(meant.getKey());
            assertThat(unknown.code()).isEqualTo(Cli.USAGE);
            assertThat(unknown.out())
                    .isEqualTo("hiroba: There is no command %s: did you mean %s? All of them: ./hiroba help\n"
                            .formatted(meant.getKey(), meant.getValue()));
        }
        assertThat(checkout.run("help", "frobnicate").out())
                .isEqualTo("hiroba: There is no command frobnicate. All of them: ./hiroba help\n");
        assertThat(checkout.mavenCalls()).isZero();
    }

    @Test
    void theCommandsOfTheClientAreKnownToTheLauncher(@TempDir Path home) throws Exception {
        var commands = new HashSet<>(Cli.commands(new CliRunner(home).surroundings())
                .getSubcommands()
                .keySet());
        commands.remove("help");
        var list = Pattern.compile("of_client='([^']*)'")
                .matcher(Files.readString(checkout.root().resolve("launcher/help.sh")));
        assertThat(list.find()).isTrue();
        assertThat(list.group(1).split(" ")).containsExactlyInAnyOrderElementsOf(commands);
    }

    @Test
    void theClientsCommandsGoToTheClientWithItsExitCode() throws Exception {
        var misused = checkout.run("whoami", "frobnicate");
        assertThat(misused.code()).isEqualTo(Cli.USAGE);
        assertThat(misused.out()).contains("frobnicate").doesNotContain("Exception");
        assertThat(checkout.run("help", "whoami").out()).contains("Show who you are to the server.");
        assertThat(checkout.run("whoami", "--url", "http://127.0.0.1:1").code()).isEqualTo(Cli.FAILED);
        assertThat(checkout.run(Map.of("HIROBA_TOKEN", "t"), "whoami", "--url", "http://127.0.0.1:1")
                        .code())
                .isEqualTo(Cli.UNREACHABLE);
    }

    @Test
    void testsCloseWithTheTotalOfAllModules() throws Exception {
        checkout.write("cli/target/surefire-reports/TEST-old.xml", report(9, 9, 0, 0));
        checkout.write("reports/a.xml", report(7, 0, 1, 1));
        checkout.write("reports/b.xml", report(5, 1, 0, 0));
        checkout.program("mvn", "cd \"" + checkout.root() + "\"\n" + """
                mkdir -p server/target/surefire-reports cli/target/surefire-reports
                cp reports/a.xml server/target/surefire-reports/TEST-a.xml
                cp reports/b.xml cli/target/surefire-reports/TEST-b.xml
                echo "BUILD FAILURE"; exit 1
                """);
        var outcome = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).endsWith("""
                Tests run: 12, Failures: 1, Errors: 1, Skipped: 1
                9 passed, 2 failed, 1 skipped
                """);
    }

    @Test
    void aFewThatFailAreRunOnceMoreAndNamed() throws Exception {
        checkout.write("reports/once.xml", report(5, 1, 0, 0));
        checkout.write("reports/again.xml", report(5, 0, 0, 0));
        checkout.write("reports/always.xml", report(2, 0, 1, 0));
        checkout.program("mvn", "cd \"" + checkout.root() + "\"\n" + """
                echo "$*" >>calls
                mkdir -p server/target/surefire-reports cli/target/surefire-reports
                case $* in
                  *-Pchecks*) ;;
                  *-Dtest=*) cp reports/again.xml server/target/surefire-reports/TEST-io.hiroba.Hasty.xml ;;
                  *) cp reports/once.xml server/target/surefire-reports/TEST-io.hiroba.Hasty.xml
                     cp reports/always.xml cli/target/surefire-reports/TEST-io.hiroba.Broken.xml ;;
                esac
                """);
        var outcome = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test");

        assertThat(checkout.mavenCalls()).isEqualTo(3);
        assertThat(Files.readString(checkout.root().resolve("calls")))
                .contains("-Dtest=io.hiroba.Broken,io.hiroba.Hasty");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out())
                .contains("failed the first time: io.hiroba.Broken,io.hiroba.Hasty")
                .endsWith("6 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void aBuildThatBreaksOutsideOfTheTestsDoesNotCloseAsIfAllWereWell() throws Exception {
        checkout.write("reports/a.xml", report(5, 0, 0, 0));
        checkout.program("mvn", "cd \"" + checkout.root() + "\"\n" + """
                mkdir -p server/target/surefire-reports
                cp reports/a.xml server/target/surefire-reports/TEST-a.xml
                exit 1
                """);
        var outcome = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out())
                .contains("The build failed outside of the tests")
                .endsWith("""
                5 passed, 1 failed, 0 skipped
                """);
    }

    @Test
    void aRunWithoutATestIsAFailure() throws Exception {
        checkout.program("mvn", "exit 0\n");
        var outcome = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test", "-q");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("No test has run").endsWith("0 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void aPartOfTheTestsIsAskedForByItsFeature() throws Exception {
        checkout.write("server/src/main/java/io/hiroba/records/A.java", "class A {}");
        var calls = mavenThatPasses();

        var outcome = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test", "records", "-q");
        assertThat(outcome.out()).endsWith("5 passed, 0 failed, 0 skipped\n");
        assertThat(Files.readString(calls))
                .contains("-Dtest=ArchitectureTest,io/hiroba/records/**/*Test", "-pl server -am -q");

        var unknown = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test", "recordz");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.out()).contains("no feature 'recordz'", "records");
        assertThat(checkout.mavenCalls()).isEqualTo(1);
    }

    @Test
    void theChecksRunBesideAllTestsAndTheirFindingsFailTheRun() throws Exception {
        var calls =
                mavenThatPasses("case $* in *-Pchecks*) echo '[ERROR] A.java:[7,3] [NullAway] null'; exit 1 ;; esac\n");

        var outcome = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test");
        assertThat(Files.readString(calls)).contains("-Pchecks -Dmaven.test.skip=true compile");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out())
                .contains("A.java:[7,3] [NullAway] null", "the checks failed")
                .endsWith("5 passed, 1 failed, 0 skipped\n");
    }

    @Test
    void aFastRunGoesWithoutTheChecks() throws Exception {
        var calls = mavenThatPasses();
        var outcome = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test", "--fast");

        assertThat(Files.readString(calls))
                .contains("-Pfast", "-pl server,cli -am")
                .doesNotContain("-Pchecks");
        assertThat(outcome.out()).endsWith("5 passed, 0 failed, 0 skipped\n");
    }

    @Test
    void coverageIsSummedUpByFeature() throws Exception {
        checkout.write("reports/jacoco.csv", """
                GROUP,PACKAGE,CLASS,INSTRUCTION_MISSED,INSTRUCTION_COVERED,BRANCH_MISSED,BRANCH_COVERED,LINE_MISSED,LINE_COVERED,COMPLEXITY_MISSED,COMPLEXITY_COVERED,METHOD_MISSED,METHOD_COVERED
                Hiroba server,io.hiroba,App,0,9,0,0,0,10,0,1,0,1
                Hiroba server,io.hiroba.saga,Sagas,0,9,1,3,0,20,0,1,0,1
                Hiroba server,io.hiroba.saga.engine,Driver,9,9,3,1,10,10,0,1,0,1
                Hiroba server,io.hiroba.templates,JtefeedGenerated,9,0,4,0,50,0,0,1,0,1
                """);
        mavenThatPasses(
                "mkdir -p target/coverage/hiroba-server; cp reports/jacoco.csv target/coverage/hiroba-server/\n");

        var outcome = checkout.run(Map.of("HIROBA_NO_INSTALL", "1"), "test", "--coverage");
        assertThat(outcome.out())
                .containsSubsequence(
                        "(root)        100.0%         -\n",
                        "saga           75.0%     50.0%\n",
                        "templates       0.0%      0.0%\n",
                        "total          80.0%     50.0%\n")
                .endsWith("5 passed, 0 failed, 0 skipped\n");
    }

    /** A {@code mvn} of which all tests pass; the answer is the file in which it notes its calls. */
    private Path mavenThatPasses(String... more) throws IOException {
        checkout.write("reports/a.xml", report(5, 0, 0, 0));
        checkout.program("mvn", "cd \"" + checkout.root() + "\"\n" + """
                echo "$*" >>calls
                mkdir -p server/target/surefire-reports
                cp reports/a.xml server/target/surefire-reports/TEST-a.xml
                """ + String.join("", more));
        return checkout.root().resolve("calls");
    }

    private static String report(int tests, int failures, int errors, int skipped) {
        return """
                <?xml version="1.0"?>
                <testsuite name="x" time="0.1" tests="%d" errors="%d" skipped="%d" failures="%d">
                  <testcase name="y"/>
                </testsuite>
                """.formatted(tests, errors, skipped, failures);
    }
}
