package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The TLS modes of the connection to the database, against a server that speaks no TLS. */
class DatabaseTlsTest {

    private static final TestDatabase database = TestDatabase.create();

    @AfterAll
    static void drop() {
        database.close();
    }

    private static DatabaseConfig withMode(String mode) {
        var config = database.config();
        var url = config.url()
                .replaceFirst("jdbc:postgresql://", "postgresql://" + config.user() + ":" + config.password() + "@");
        return DatabaseConfig.of(url + (url.contains("?") ? "&" : "?") + "sslmode=" + mode, "", "");
    }

    @Test
    void theModeOfTheUrlIsTheDrivers() {
        assertThat(DatabaseUrl.resolve(withMode("verify-full")).url()).endsWith("sslmode=verify-full");
        assertThat(DatabaseCheck.pass(withMode("disable")).url()).endsWith("sslmode=disable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"require", "verify-ca", "verify-full"})
    void aModeThatNeedsTlsRefusesAServerWithoutIt(String mode) {
        assertThatThrownBy(() -> DatabaseCheck.pass(withMode(mode))).isInstanceOf(DatabaseException.class);
    }
}
