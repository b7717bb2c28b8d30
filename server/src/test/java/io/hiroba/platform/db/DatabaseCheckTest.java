package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DatabaseCheckTest {

    private static final TestDatabase database = TestDatabase.create();

    @AfterAll
    static void drop() {
        database.close();
    }

    private static void assertRefused(String url, String user, String password, String sentence) {
        assertThatThrownBy(() -> DatabaseCheck.pass(DatabaseConfig.of(url, user, password)))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining(sentence)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage()))
                        .doesNotContain("\n")
                        .doesNotContain("hunter2"));
    }

    @Test
    void aGoodDatabasePassesInEitherSpelling() {
        var config = database.config();
        assertThat(DatabaseCheck.pass(config).url()).isEqualTo(config.url());
        var plain = config.url()
                .replaceFirst("jdbc:postgresql://", "postgresql://" + config.user() + ":" + config.password() + "@");
        var passed = DatabaseCheck.pass(DatabaseConfig.of(plain, "", ""));
        assertThat(passed.url()).startsWith("jdbc:postgresql://127.0.0.1:").doesNotContain(config.password());
        assertThat(passed.user()).isEqualTo(config.user());
    }

    @Test
    void aRefusedLoginIsOneSentence() {
        assertRefused(database.config().url(), "hiroba", "hunter2", "refused the login of role `hiroba`");
    }

    @Test
    void aDatabaseThatIsNotThereIsOneSentence() {
        var config = database.config();
        assertRefused(
                config.url().replaceFirst("/hiroba_\\d+", "/nowhere"),
                config.user(),
                config.password(),
                "There is no such database");
    }

    @Test
    void aServerThatDoesNotAnswerIsOneSentence() {
        assertRefused("postgresql://me:hunter2@127.0.0.1:1/db", "", "", "No PostgreSQL answers");
    }

    @Test
    void anAddressThatIsNoneIsOneSentence() {
        assertRefused("mysql://somewhere", "", "", "must be like postgresql://");
        assertRefused("postgresql://me:hun ter@host/db", "", "", "percent-encode");
    }

    @Test
    void aServerThatIsTooOldIsOneSentence() {
        assertThatThrownBy(() -> DatabaseCheck.requireVersion(15)).hasMessageContaining("needs 16 or newer");
        DatabaseCheck.requireVersion(16);
    }

    @Test
    void aServerWithoutIcuIsOneSentence() throws SQLException {
        try (var connection = connection()) {
            DatabaseCheck.requireIcu(connection);
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("DELETE FROM pg_collation WHERE collprovider = 'i'");
                assertThatThrownBy(() -> DatabaseCheck.requireIcu(connection))
                        .hasMessageContaining("built without ICU")
                        .hasMessageNotContaining("\n");
            }
            connection.rollback();
        }
    }

    @Test
    void indexesOfNamesAreRebuiltOnceWhenIcuHasOtherRules() throws SQLException {
        try (var connection = connection();
                var statement = connection.createStatement()) {
            var before = file(statement);
            statement.execute(
                    "UPDATE pg_collation SET collversion = '1.0' WHERE collnamespace = 'platform'::regnamespace");
            Migrations.run(database.config(), List.of());
            var rebuilt = file(statement);
            assertThat(rebuilt).isNotEqualTo(before);
            Migrations.run(database.config(), List.of());
            assertThat(file(statement)).isEqualTo(rebuilt);
        }
    }

    private static String file(Statement statement) throws SQLException {
        try (var row = statement.executeQuery("SELECT pg_relation_filepath('accounts.idx_users_nickname_order')")) {
            row.next();
            return row.getString(1);
        }
    }

    private static Connection connection() throws SQLException {
        var config = database.config();
        return DriverManager.getConnection(config.url(), config.user(), config.password());
    }
}
