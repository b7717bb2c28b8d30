package io.hiroba.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Value;
import io.hiroba.contract.saga.v1.StepLog;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {

    private static final StepLog LARGE = StepLog.newBuilder()
            .setStepName("reserve")
            .setAnswer(Value.newBuilder().setStringValue("x".repeat(1000)))
            .build();

    @Test
    void whatDoesNotFitIsLeftOutAndWhatFitsAgainIsNot() {
        var room = new ByteBudget(1500);
        assertThat(room.fit(LARGE)).isEqualTo(LARGE);
        var second = room.fit(LARGE);
        assertThat(second.getLeftOut()).isTrue();
        assertThat(second.hasAnswer()).isFalse();
        assertThat(second.getStepName()).isEqualTo("reserve");
        room.free(LARGE);
        assertThat(room.fit(LARGE)).isEqualTo(LARGE);
    }
}
