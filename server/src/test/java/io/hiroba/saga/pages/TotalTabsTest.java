package io.hiroba.saga.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.saga.SagaFilter;
import io.hiroba.saga.SagaQueries.Total;
import io.hiroba.saga.SagaQueries.Totals;
import io.hiroba.saga.pages.SagaListPages.Tab;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TotalTabsTest {

    private static final Reader READER = new Reader(Language.ENGLISH, ZoneOffset.UTC, Instant.EPOCH);

    @Test
    void aNumberBeyondTheBoundHasAPlusSignAndStatusesWithoutSagasAreLeftOut() {
        var totals = new Totals(
                Map.of(
                        "COMPLETED",
                        new Total(1000, true),
                        "FAILED",
                        new Total(7, false),
                        "STARTED",
                        new Total(0, false)),
                Map.of("rare", new Total(3, false), "order", new Total(100, true)));
        var tabs = TotalTabs.of(totals, SagaFilter.ALL, filter -> "status=" + filter.status(), READER);
        assertThat(tabs.statuses()).extracting(Tab::count).containsExactly(null, "1,000+", "7");
        assertThat(tabs.statuses())
                .extracting(Tab::address)
                .containsExactly("/sagas?status=null", "/sagas?status=COMPLETED", "/sagas?status=FAILED");
        assertThat(tabs.workflows())
                .extracting(tab -> READER.text(tab.label()) + " " + tab.count())
                .containsExactly("order 100+", "rare 3");
    }

    @Test
    void theChosenStatusStaysWithoutSagasAndTheChosenWorkflowIsFirst() {
        var totals = new Totals(Map.of(), Map.of("rare", new Total(3, false), "order", new Total(9, false)));
        var filter = SagaFilter.ALL.whereWaiting(true).withWorkflow("rare");
        var tabs = TotalTabs.of(totals, filter, narrowed -> narrowed.workflowName() + narrowed.waiting(), READER);
        assertThat(tabs.statuses()).extracting(Tab::isCurrent).containsExactly(false, true);
        assertThat(tabs.workflows().getFirst().isCurrent()).isTrue();
        assertThat(tabs.workflows()).extracting(Tab::address).containsExactly("/sagas?nulltrue", "/sagas?ordertrue");
    }
}
