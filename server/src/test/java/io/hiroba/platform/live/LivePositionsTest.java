package io.hiroba.platform.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.http.HttpProblem;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LivePositionsTest {

    @Test
    void anIdSaysWhereAStreamStandsInEachSource() {
        var positions = new LinkedHashMap<String, String>();
        positions.put("cards", "1763197200000000");
        positions.put("posts", "19A8F00000000000");
        var text = LivePositions.text(positions);
        assertThat(text).isEqualTo("cards=1763197200000000;posts=19A8F00000000000");
        assertThat(LivePositions.parse(text).bySource()).isEqualTo(positions);
    }

    @Test
    void sourcesThatAreUnknownHereAreNoMistake() {
        assertThat(LivePositions.parse("inbox=7").bySource()).isEqualTo(Map.of("inbox", "7"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "19A8F00000000000",
                "cards=",
                "=7",
                "cards=7;",
                ";cards=7",
                "cards=7;;posts=8",
                "cards=7\ndata: forged",
                "cards=-7",
                "Cards=7",
                "cards='; DROP TABLE activity.notifications; --"
            })
    void whatIsNoIdIsRefused(String text) {
        assertThatThrownBy(() -> LivePositions.parse(text))
                .isInstanceOfSatisfying(
                        HttpProblem.class, problem -> assertThat(problem.code()).isEqualTo("http.invalid"));
    }

    @Test
    void anEndlessIdIsRefused() {
        assertThatThrownBy(() -> LivePositions.parse("cards=7;".repeat(200) + "cards=7"))
                .isInstanceOf(HttpProblem.class);
    }
}
