package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables let nothing in that makes no sense, whoever writes it. */
class SagaTablesTest {

    private static final TestDatabase database = TestDatabase.create();

    @AfterAll
    static void close() {
        database.close();
    }

    private static void sql(String statement) {
        database.db().useTransaction(tx -> tx.update(statement).execute());
    }

    private static boolean is(String condition, String table) {
        return database.db()
                .read(reads -> reads.query("SELECT bool_and(" + condition + ") FROM saga." + table)
                        .mapTo(Boolean.class)
                        .one());
    }

    /** A saga with an attempt, both of which were last changed an hour ago. */
    @BeforeEach
    void fill() {
        sql("DELETE FROM saga.saga_states");
        sql("""
                INSERT INTO saga.saga_states (id, workflow_name, workflow_version, updated_at)
                VALUES ('0199aaaa-0000-7000-8000-000000000001', 'order', 1, now() - interval '1 hour')
                """);
        sql("""
                INSERT INTO saga.saga_step_logs (saga_id, step_index, action, attempt, step_name, status, updated_at)
                VALUES ('0199aaaa-0000-7000-8000-000000000001', 0, 'EXECUTE', 1, 'a', 'SUCCESS', now() - interval '1 hour')
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    saga_states    | status = 'DONE'                                     | chk_saga_states_status
                    saga_states    | undone_as = 'COMPLETED'                             | chk_saga_states_undone_as
                    saga_states    | status = 'COMPLETED', owner = 1                     | chk_saga_states_at_rest
                    saga_states    | status = 'FAILED', wake_at = now()                  | chk_saga_states_at_rest
                    saga_states    | status = 'CANCELLED', stuck = true                  | chk_saga_states_at_rest
                    saga_states    | owner = 1, wake_at = now()                          | chk_saga_states_one_place
                    saga_states    | stuck = true, owner = 1                             | chk_saga_states_stuck
                    saga_states    | stuck = true, wake_at = now()                       | chk_saga_states_stuck
                    saga_states    | workflow_name = NULL                                | workflow_name
                    saga_step_logs | action = 'UNDO'                                     | chk_saga_step_logs_action
                    saga_step_logs | status = 'DONE'                                     | chk_saga_step_logs_status
                    saga_step_logs | retry_at = now()                                    | chk_saga_step_logs_retry
                    saga_step_logs | attempt = 0                                         | saga_step_logs_attempt_check
                    saga_step_logs | saga_id = '0199aaaa-0000-7000-8000-000000000002'    | saga_step_logs_saga_id_fkey
                    """)
    void whatMakesNoSenseIsRefused(String table, String change, String constraint) {
        assertThatThrownBy(() -> sql("UPDATE saga.%s SET %s".formatted(table, change)))
                .hasMessageContaining(constraint);
    }

    @ParameterizedTest
    @CsvSource({"saga_states, current_step = 1", "saga_step_logs, step_name = 'b'"})
    void aChangeIsDatedUnlessItBringsItsDate(String table, String change) {
        sql("UPDATE saga.%s SET %s, updated_at = updated_at + interval '1 min'".formatted(table, change));
        assertThat(is("updated_at < now() - interval '58 min'", table)).isTrue();
        sql("UPDATE saga.%s SET %s".formatted(table, change));
        assertThat(is("updated_at > now() - interval '1 min'", table)).isTrue();
    }

    @Test
    void aWorkflowHasAVersionAndAFormat() {
        for (var wrong : new String[] {"('a', 0, '', 'yaml', 'x')", "('a', 1, '', 'xml', 'x')"}) {
            assertThatThrownBy(() ->
                            sql("INSERT INTO saga.workflows (name, version, definition, format, created_by) VALUES "
                                    + wrong))
                    .hasMessageContaining("_check");
        }
    }

    @Test
    void anEndpointIsOneAndARoleIsOne() {
        assertThatThrownBy(() ->
                        sql("INSERT INTO saga.services (name, endpoint, updated_by) VALUES ('a', 'file:///etc', 'x')"))
                .hasMessageContaining("services_endpoint_check");
        assertThatThrownBy(() -> sql("INSERT INTO saga.roles (user_id, role) VALUES (1, 'admin')"))
                .hasMessageContaining("roles_role_check");
        assertThatThrownBy(() -> sql("INSERT INTO saga.roles (user_id, role) VALUES (1, 'auditor')"))
                .hasMessageContaining("roles_user_id_fkey");
    }

    @Test
    void onlyTheStoresOfSagasNameItsTables() throws IOException {
        var tables = Pattern.compile(
                "saga\\.(saga_states|saga_step_logs|signals|nodes|services|roles|workflows)\\s+(AS|SET|WHERE|VALUES|\\()"
                        + "|(FROM|JOIN|INTO|UPDATE)\\s+saga\\.\\w+");
        var root = Path.of("src/main/java/io/hiroba");
        try (var files = Files.walk(root)) {
            for (var file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                var name = file.getFileName().toString();
                boolean isStore = file.startsWith(root.resolve("saga"))
                        && (name.endsWith("Store.java") || name.endsWith("Sql.java"));
                if (!isStore) {
                    assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(tables);
                }
            }
        }
    }
}
