package io.hiroba.platform.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedSqlTest {

    @Test
    void eachNameIsAQuestionMarkAndHasOneNumberHoweverOftenItStands() {
        var sql = NamedSql.of("SELECT :a, :b_2 WHERE x = :a AND y = ANY (:c)");
        assertThat(sql.text()).isEqualTo("SELECT ?, ? WHERE x = ? AND y = ANY (?)");
        assertThat(sql.places()).isEqualTo(List.of(0, 1, 0, 2));
        assertThat(sql.names()).containsOnlyKeys("a", "b_2", "c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT x::text, y :: int",
                "SELECT 'a :b ''c'' :d', \"e:f :g\"",
                "SELECT E'it\\'s :a', e'\\\\'",
                "SELECT 1 -- not :a, don't\n, 2",
                "SELECT 1 /* :a ' */ - 2 / 3",
                "DO $$ BEGIN x := :a; END $$",
                "SELECT $tag$ :a $$ :b $tag$, $1",
                "SELECT a[1:2], b[:3]",
                "SELECT ':a",
                "SELECT 1 -- :a",
                "SELECT 1 :"
            })
    void whatIsQuotedOrMeansSomethingElseIsNoName(String text) {
        var sql = NamedSql.of(text);
        assertThat(sql.names()).isEmpty();
        assertThat(sql.text()).isEqualTo(text);
    }

    @Test
    void whatStandsBehindAQuoteIsReadAgain() {
        assertThat(NamedSql.of("'x':a\"y\":b/* */:c$$z$$:d--\n:e").text()).isEqualTo("'x'?\"y\"?/* */?$$z$$?--\n?");
        assertThat(NamedSql.of("SELECT 'E':a, name'b\\':c").text()).isEqualTo("SELECT 'E'?, name'b\\'?");
    }
}
