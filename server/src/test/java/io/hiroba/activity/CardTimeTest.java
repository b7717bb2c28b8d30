package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CardTimeTest {

    @Test
    void microsecondsSurviveThereAndBack() {
        var time = Instant.parse("2026-01-02T10:00:00.000001Z");
        assertThat(CardTime.text(time)).isEqualTo("2026-01-02T10:00:00.000001Z");
        assertThat(CardTime.parse("upTo", CardTime.text(time))).isEqualTo(time);
        assertThat(CardTime.text(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00.000000Z");
    }

    @Test
    void anotherOffsetIsTheSameMoment() {
        assertThat(CardTime.parse("upTo", "2026-01-02T19:00:00+09:00"))
                .isEqualTo(Instant.parse("2026-01-02T10:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "0",
                "2026-01-02",
                "2026-13-02T10:00:00Z",
                "2026-02-30T10:00:00Z",
                "2026-01-02T10:00:00",
                "2026-01-02T10:00:00+0900",
                "2026-01-02T10:00:00+99:00",
                "+999999999-12-31T23:59:59Z",
                "-0001-01-01T00:00:00Z",
                "2026-01-02T10:00:00.123Z' OR 1=1 --"
            })
    void anythingElseIsRefusedWithTheFieldsName(String text) {
        assertThatThrownBy(() -> CardTime.parse("newerThan", text))
                .isInstanceOf(ActivityProblem.class)
                .hasMessageContaining("`newerThan` must be a time");
    }
}
