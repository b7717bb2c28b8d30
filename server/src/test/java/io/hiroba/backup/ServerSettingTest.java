package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings as statements set them. */
class ServerSettingTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "work_mem=12MB | '12MB'",
                "log_line_prefix=it's, %m | 'it''s, %m'",
                "log_directory=a\\b | E'a\\\\b'",
                "shared_preload_libraries=pg_stat_statements, auto_explain | 'pg_stat_statements', 'auto_explain'",
                "Shared_Preload_Libraries=one,two | 'one', 'two'",
                "session_preload_libraries=\"a, \"\"b\"\"\" , /c/d'e | 'a, \"b\"', '/c/d''e'",
                "search_path=\"$user\", public | '$user', 'public'",
                "search_path=\"\" | ''",
                "search_path= | ''",
                "temp_tablespaces=a; DROP TABLE b | 'a; DROP TABLE b'",
                "temp_tablespaces=\"a | '\"a'",
                "temp_tablespaces=a, | 'a,'"
            })
    void eachElementOfAListIsSetByItself(String setting, String sql) {
        assertThat(ServerSetting.parse(setting).sql()).isEqualTo(sql);
    }
}
