package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.agents.AgentStatisticsStore.Look;
import io.hiroba.agents.RunFeedbackStore.ThumbCounts;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Text;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts runs, costs, latencies, failures and thumbs of a chosen time: for admins of all agents, for others of their own. Who called whom is
 * not among it.
 */
final class AgentStatistics {

    /** So many runs are looked at; of more the newest. Of the own agents of a member so many of each. */
    static final int MAX_RUNS = 100_000;

    private final Db db;
    private final InstantSource clock;
    private final int maxRuns;
    private final AgentStatisticsStore store = new AgentStatisticsStore();
    private final AgentStore agents = new AgentStore();

    AgentStatistics(Db db, InstantSource clock) {
        this(db, clock, MAX_RUNS);
    }

    AgentStatistics(Db db, InstantSource clock, int maxRuns) {
        this.db = db;
        this.clock = clock;
        this.maxRuns = maxRuns;
    }

    /** A time until now, in spans for the picture. */
    enum Range {
        DAY("24h", Duration.ofHours(1), 24),
        WEEK("7d", Duration.ofHours(6), 28),
        MONTH("30d", Duration.ofDays(1), 30);

        private final String code;
        private final Duration span;
        private final int spans;

        Range(String code, Duration span, int spans) {
            this.code = code;
            this.span = span;
            this.spans = spans;
        }

        String code() {
            return code;
        }

        Duration span() {
            return span;
        }

        int spans() {
            return spans;
        }

        /** @param code null for a day */
        static Range parse(@Nullable String code) {
            return Stream.of(values())
                    .filter(range -> range.code.equals(Objects.requireNonNullElse(code, DAY.code)))
                    .findFirst()
                    .orElseThrow(() ->
                            AgentsProblem.invalid("range", Text.of("http.field.one-of", "values", "24h, 7d, 30d")));
        }
    }

    /** The numbers of runs by how they ended; those that have not are open. */
    record RunCounts(long runs, long answered, long refused, long failed, long stopped, long open) {}

    /**
     * The runs of an agent.
     *
     * @param agent null for all together
     * @param cost US dollars
     * @param p50 the seconds from what woke it to the answer that half of the answers took at most; null without any
     * @param p95 as many of 95 %
     */
    record RunTotals(
            @Nullable UserId agent,
            RunCounts counts,
            long tokens,
            BigDecimal cost,
            @Nullable Double p50,
            @Nullable Double p95) {}

    /** The number of runs that ended without an answer for one reason. */
    record CauseCount(String state, String reason, long runs) {}

    /**
     * The runs of a span of time.
     *
     * @param failed with those that were refused
     * @param other open ones and those that were stopped
     */
    record SpanCounts(long answered, long failed, long other, BigDecimal cost) {

        static final SpanCounts NONE = new SpanCounts(0, 0, 0, BigDecimal.ZERO);

        long all() {
            return answered + failed + other;
        }
    }

    /** The figures of an agent, or of all. */
    record AgentFigures(String name, RunTotals totals, ThumbCounts thumbs) {}

    /**
     * The statistics of a time.
     *
     * @param limited whether there were more runs than were looked at
     * @param spans from the first on, also those without a run
     */
    record RunStatistics(
            Range range,
            Instant from,
            boolean limited,
            AgentFigures all,
            List<AgentFigures> agents,
            List<CauseCount> causes,
            List<SpanCounts> spans) {

        RunStatistics {
            agents = List.copyOf(agents);
            causes = List.copyOf(causes);
            spans = List.copyOf(spans);
        }
    }

    RunStatistics of(Caller caller, Range range) {
        var from = clock.instant().minus(range.span().multipliedBy(range.spans()));
        return db.read(reads -> {
            var own = caller.admin() ? null : agents.ownedBy(reads, caller.user());
            var look = new Look(range, from, own, maxRuns);
            var totals = store.totals(reads, look);
            var names = store.names(
                    reads,
                    totals.stream()
                            .flatMap(each -> Stream.ofNullable(each.agent()))
                            .toList());
            var thumbs = store.thumbs(reads, look);
            var all = totals.getFirst();
            boolean limited = totals.stream()
                    .filter(each -> (each.agent() == null) == (own == null))
                    .anyMatch(each -> each.counts().runs() >= maxRuns);
            return new RunStatistics(
                    range,
                    from,
                    limited,
                    new AgentFigures("", all, thumbs.getOrDefault(0L, ThumbCounts.NONE)),
                    totals.stream()
                            .skip(1)
                            .flatMap(each -> figures(each, names, thumbs))
                            .toList(),
                    store.causes(reads, look),
                    spans(range, store.spans(reads, look)));
        });
    }

    private static Stream<AgentFigures> figures(
            RunTotals totals, Map<UserId, String> names, Map<Long, ThumbCounts> thumbs) {
        var agent = totals.agent();
        return agent == null
                ? Stream.empty()
                : Stream.of(new AgentFigures(
                        names.getOrDefault(agent, agent.hex()),
                        totals,
                        thumbs.getOrDefault(agent.value(), ThumbCounts.NONE)));
    }

    private static List<SpanCounts> spans(Range range, Map<Integer, SpanCounts> known) {
        var spans = new ArrayList<SpanCounts>();
        for (int i = 0; i < range.spans(); i++) {
            spans.add(known.getOrDefault(i, SpanCounts.NONE));
        }
        return spans;
    }
}
