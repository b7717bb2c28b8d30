package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlSummaryTest {

    private static String of(String sql) {
        return new SqlSummary(sql).text();
    }

    @Test
    void aStatementIsNamedByItsOperationAndItsFirstTable() {
        assertThat(of("SELECT id FROM social.posts AS p WHERE p.id = ?")).isEqualTo("SELECT social.posts");
        assertThat(of("  insert into social.post_likes (a) VALUES (?)")).isEqualTo("INSERT social.post_likes");
        assertThat(of("UPDATE saga.saga_states AS s SET x = 1")).isEqualTo("UPDATE saga.saga_states");
        assertThat(of("DELETE FROM ONLY platform.mails")).isEqualTo("DELETE platform.mails");
        assertThat(of("SELECT platform.append_events(?, ?)")).isEqualTo("SELECT platform.append_events");
        assertThat(of("SELECT true")).isEqualTo("SELECT");
        assertThat(
                        of(
                                "WITH due AS (SELECT id FROM saga.a FOR UPDATE SKIP LOCKED) UPDATE saga.b SET x = 1 RETURNING id"))
                .isEqualTo("UPDATE saga.b");
        assertThat(of("WITH due AS (SELECT id FROM saga.a) SELECT * FROM due")).isEqualTo("SELECT saga.a");
        assertThat(of("secret 'x'")).isEqualTo("SQL");
    }

    @Test
    void nothingThatIsQuotedOrACommentIsInIt() {
        assertThat(of("SELECT 'it''s FROM secret.value' FROM social.posts")).isEqualTo("SELECT social.posts");
        assertThat(of("SELECT \"FROM secret.value\", $x$ FROM secret.value $x$ FROM a.b"))
                .isEqualTo("SELECT a.b");
        assertThat(of("SELECT 1 -- FROM secret.value\n, /* FROM secret.value */ 2"))
                .isEqualTo("SELECT");
    }
}
