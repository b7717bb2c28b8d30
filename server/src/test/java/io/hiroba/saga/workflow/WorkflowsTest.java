package io.hiroba.saga.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.problem.Problem;
import io.hiroba.testkit.TestAccounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is registered stays, and a change is a new version. */
class WorkflowsTest {

    private static final TestAccounts accounts = new TestAccounts();
    private static final Caller admin = accounts.caller(accounts.admin());

    private final Workflows workflows = new Workflows(accounts.db);

    @AfterAll
    static void close() {
        accounts.close();
    }

    private static String text(String name, String method, String... more) {
        return "name: %s\n%s\nsteps:\n  - {name: a, service: s, method: %s}\n"
                .formatted(name, String.join("\n", more), method);
    }

    private Workflows.Registration register(String text) {
        return workflows.register(admin, text, WorkflowFormat.YAML);
    }

    private static String methodOf(Workflow workflow) {
        return ((Step.Call) workflow.steps().getFirst().work()).method();
    }

    @Test
    void theSameTextIsTheSameVersionAndAnotherTheNext() {
        assertThat(register(text("versions", "one")).created()).isTrue();
        var again = register(text("versions", "one"));
        assertThat(again.created()).isFalse();
        assertThat(again.version().version()).isEqualTo(1);
        assertThat(register(text("versions", "two")).version().version()).isEqualTo(2);
        assertThat(register(text("versions", "one")).version().version()).isEqualTo(3);
        assertThat(methodOf(workflows.newest("versions"))).isEqualTo("one");
        assertThat(methodOf(workflows.find("versions", 2).orElseThrow())).isEqualTo("two");
        assertThat(workflows.versions(admin, "versions", Optional.empty(), 10))
                .extracting(WorkflowVersion::version)
                .containsExactly(3, 2, 1);
    }

    @Test
    void aVersionThatIsGivenMustBeTheNextOne() {
        assertThat(register(text("given", "one", "version: 5")).version().version())
                .isEqualTo(5);
        assertThat(register(text("given", "one", "version: 5")).created()).isFalse();
        assertThat(register(text("given", "two", "version: 6")).version().version())
                .isEqualTo(6);
        assertThat(register(text("given", "one", "version: 5")).version().version())
                .isEqualTo(5);
        for (var wrong : new int[] {4, 5, 6, 8}) {
            assertThatThrownBy(() -> register(text("given", "other", "version: " + wrong)))
                    .isInstanceOfSatisfying(
                            Problem.class, problem -> assertThat(problem.code()).isEqualTo("saga.version-conflict"));
        }
        assertThat(workflows.newest("given").version()).isEqualTo(6);
    }

    @Test
    void aPreviewIsRefusedWhereTheRegistrationIs() {
        var text = text("previewed", "one", "version: 3");
        assertThat(workflows
                        .preview(admin, text, WorkflowFormat.YAML)
                        .workflow()
                        .version())
                .isEqualTo(3);
        register(text);
        register(text("previewed", "two"));
        var again = workflows.preview(admin, text, WorkflowFormat.YAML);
        assertThat(again.created()).isFalse();
        assertThat(again.workflow().version()).isEqualTo(3);
        assertThat(workflows
                        .preview(admin, text("previewed", "other", "version: 5"), WorkflowFormat.YAML)
                        .workflow()
                        .version())
                .isEqualTo(5);
        assertThatThrownBy(
                        () -> workflows.preview(admin, text("previewed", "other", "version: 7"), WorkflowFormat.YAML))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo("saga.version-conflict"));
    }

    @Test
    void whoRegistersAtTheSameTimeGetsVersionsOfTheirOwn() throws Exception {
        var other = new Workflows(accounts.db);
        var tasks = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 20; i++) {
            var node = i % 2 == 0 ? workflows : other;
            var text = text("crowded", "m" + i);
            tasks.add(() ->
                    node.register(admin, text, WorkflowFormat.YAML).version().version());
        }
        var versions = new HashSet<Integer>();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (var answer : threads.invokeAll(tasks)) {
                versions.add(answer.get());
            }
        }
        assertThat(versions).hasSize(20).contains(1, 20);
    }

    @Test
    void aWorkflowThatIsSwitchedOffStaysOffUntilItIsSwitchedOn() {
        register(text("off", "one"));
        assertThat(workflows.setEnabled(admin, "off", false).enabled()).isFalse();
        register(text("off", "two"));
        assertThatThrownBy(() -> workflows.newest("off")).hasMessageContaining("is disabled");
        assertThat(register(text("off", "three", "enabled: true")).version().enabled())
                .isTrue();
        assertThat(methodOf(workflows.newest("off"))).isEqualTo("three");
        assertThatThrownBy(() -> workflows.setEnabled(admin, "nothing", true)).hasMessageContaining("no workflow");
    }

    @Test
    void aDefinitionThatCannotBeReadAnyMoreIsNotFound() {
        register(text("broken", "one"));
        accounts.db.useTransaction(
                tx -> tx.update("UPDATE saga.workflows SET definition = 'steps: [' WHERE name = 'broken'")
                        .execute());
        assertThat(workflows.find("broken", 1)).isEmpty();
        var shown = workflows.one(admin, "broken", Optional.empty());
        assertThat(shown.workflow()).isNull();
        assertThat(shown.definition()).isEqualTo("steps: [");
    }

    @Test
    void hirobasOwnAreNobodyElses() {
        var own = text("hiroba.own", "one");
        assertThat(workflows.registerBuiltIn(own).created()).isTrue();
        assertThat(workflows.registerBuiltIn(own).created()).isFalse();
        assertThatThrownBy(() -> register(text("hiroba.own", "two"))).hasMessageContaining("is built in");
        assertThatThrownBy(() -> workflows.setEnabled(admin, "hiroba.own", false))
                .hasMessageContaining("is built in");
        assertThat(workflows.newest("hiroba.own").version()).isEqualTo(1);
    }

    @Test
    void onlyHirobasOwnWorkflowsCallItsOwnSteps(@TempDir Path folder) throws IOException {
        for (var service : new String[] {"hiroba", "Hiroba", "hiroba.more"}) {
            var foreign = text("foreign", "delete-account").replace("service: s", "service: " + service);
            assertThatThrownBy(() -> register(foreign))
                    .isInstanceOfSatisfying(
                            Problem.class, problem -> assertThat(problem.code()).isEqualTo("saga.own-service"));
            Files.writeString(folder.resolve("foreign.yaml"), foreign);
            assertThatThrownBy(() -> new WorkflowFolder(folder).load(workflows))
                    .isInstanceOf(Problem.class)
                    .hasMessageContaining("foreign.yaml")
                    .hasMessageContaining("reserved for built-in workflows");
        }
        assertThatThrownBy(() -> workflows.newest("foreign")).hasMessageContaining("no workflow");
        for (var start : List.of("workflow: hiroba.account-deletion", "continueAsNew: {workflow: Hiroba.x}")) {
            assertThatThrownBy(() -> register("{name: foreign, steps: [{name: a, " + start + "}]}"))
                    .isInstanceOfSatisfying(
                            Problem.class, problem -> assertThat(problem.code()).isEqualTo("saga.own-workflow"));
        }
        var own = text("hiroba.caller", "delete-account").replace("service: s", "service: hiroba");
        assertThat(workflows.registerBuiltIn(own).created()).isTrue();
    }

    @Test
    void noWorkflowHasTheNameOfAPage() {
        assertThatThrownBy(() -> register(text("new", "one")))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("line 1: `name` must not be `new`");
        assertThat(register(text("new.one", "one")).created()).isTrue();
    }

    @Test
    void aFolderIsRegisteredFileByFile(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.yaml"), text("from-yaml", "one"));
        Files.writeString(
                folder.resolve("b.json"),
                "{\"name\":\"from-json\",\"steps\":[{\"name\":\"a\",\"waitForSignal\":\"go\"}]}");
        Files.writeString(folder.resolve("notes.txt"), "no workflow");
        new WorkflowFolder(folder).load(workflows);
        new WorkflowFolder(folder).load(workflows);
        new WorkflowFolder(Path.of("")).load(workflows);
        assertThat(workflows.newest("from-yaml").version()).isEqualTo(1);
        assertThat(workflows.newest("from-json").version()).isEqualTo(1);
        assertThat(workflows.one(admin, "from-json", Optional.empty()).version().createdBy())
                .isEqualTo("folder");
    }

    @Test
    void aFileThatIsNoUseIsNamedWithItsLine(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("bad.yml"), "name: bad\nsteps:\n  - {name: a}\n");
        assertThatThrownBy(() -> new WorkflowFolder(folder).load(workflows))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("bad.yml")
                .hasMessageContaining("line 3: `steps[0].service` is missing");
        Files.write(folder.resolve("bad.yml"), new byte[] {(byte) 0xff, 'a'});
        assertThatThrownBy(() -> new WorkflowFolder(folder).load(workflows))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> new WorkflowFolder(folder.resolve("missing")).load(workflows))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("missing");
    }
}
