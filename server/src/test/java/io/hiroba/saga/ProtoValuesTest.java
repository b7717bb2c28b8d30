package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Value;
import io.hiroba.platform.problem.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ProtoValuesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "7",
                "-9007199254740992",
                "0.5",
                "\"広場\"",
                "[]",
                "{}",
                "{\"a\":[1,{\"b\":null}],\"c\":\"\"}"
            })
    void jsonComesBackAsItWas(String json) {
        var node = JsonMapper.shared().readTree(json);
        assertThat(ProtoValues.json("payload", ProtoValues.of(node))).hasToString(json);
    }

    @Test
    void whatCannotBeKeptIsRefused() {
        assertThatThrownBy(() -> ProtoValues.json(
                        "payload", Value.newBuilder().setNumberValue(Double.NaN).build()))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> ProtoValues.json(
                        "payload", Value.newBuilder().setStringValue("a\0b").build()))
                .isInstanceOf(Problem.class);
    }
}
