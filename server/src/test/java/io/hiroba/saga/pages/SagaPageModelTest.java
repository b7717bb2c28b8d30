package io.hiroba.saga.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.id.UuidV7;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaDetails;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaStatus;
import io.hiroba.testkit.SettableClock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SagaPageModelTest {

    private static final Instant START = Instant.parse("2026-01-02T10:00:00Z");

    private static SagaPageModel sheet(String workflow, int leftOut) {
        var saga = new Saga(
                new SagaId(new UuidV7(new SettableClock(START)).next()),
                workflow,
                1,
                0,
                SagaStatus.RUNNING,
                JsonMapper.shared().createObjectNode(),
                null,
                null,
                null,
                true,
                false,
                null,
                START,
                START,
                null,
                5);
        return SagaPageModel.of(
                new SagaDetails(saga, null, List.of(), List.of(), leftOut),
                SagaRole.ADMIN,
                new Reader(Language.ENGLISH, ZoneOffset.UTC, START.plusSeconds(60)));
    }

    @Test
    void whatHirobaStartedItselfIsTriedAgainButNotCancelled() {
        var own = sheet("hiroba.account-deletion", 0);
        assertThat(own.mayUndo()).isFalse();
        assertThat(own.mayRetry()).isTrue();
        assertThat(sheet("order", 0).mayUndo()).isTrue();
    }

    @Test
    void theStreamGoesOnAfterTheAttemptsThatAreNotShownToo() {
        assertThat(sheet("order", 7).attempts()).isEqualTo(7);
    }
}
