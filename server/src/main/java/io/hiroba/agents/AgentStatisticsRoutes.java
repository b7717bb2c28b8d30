package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.agents.AgentStatistics.AgentFigures;
import io.hiroba.agents.AgentStatistics.CauseCount;
import io.hiroba.agents.AgentStatistics.Range;
import io.hiroba.agents.AgentStatistics.RunStatistics;
import io.hiroba.agents.AgentStatistics.SpanCounts;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The API of runs, costs, latencies, failures and thumbs of all agents. */
final class AgentStatisticsRoutes implements Routes {

    private final AgentStatistics statistics;

    AgentStatisticsRoutes(AgentStatistics statistics) {
        this.statistics = statistics;
    }

    /** Before the routes of one agent, whose id it would be taken for. */
    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/agents/statistics", this::get);
    }

    private void get(Context ctx) {
        ctx.json(StatisticsView.of(statistics.of(Caller.of(ctx), Range.parse(ctx.queryParam("range")))));
    }

    private record StatisticsView(
            String range,
            Instant from,
            boolean limited,
            FiguresView all,
            List<FiguresView> agents,
            List<CauseCount> causes,
            List<SpanView> spans) {

        static StatisticsView of(RunStatistics found) {
            return new StatisticsView(
                    found.range().code(),
                    found.from(),
                    found.limited(),
                    FiguresView.of(found.all()),
                    found.agents().stream().map(FiguresView::of).toList(),
                    found.causes(),
                    IntStream.range(0, found.spans().size())
                            .mapToObj(i -> SpanView.of(
                                    found.from().plus(found.range().span().multipliedBy(i)),
                                    found.spans().get(i)))
                            .toList());
        }
    }

    private record SpanView(Instant from, long answered, long failed, long other, BigDecimal cost) {

        static SpanView of(Instant from, SpanCounts span) {
            return new SpanView(from, span.answered(), span.failed(), span.other(), span.cost());
        }
    }

    private record FiguresView(
            @Nullable String agentId,
            @Nullable String nickname,
            long runs,
            long answered,
            long refused,
            long failed,
            long stopped,
            long open,
            long tokens,
            BigDecimal cost,
            @Nullable Double p50Seconds,
            @Nullable Double p95Seconds,
            long up,
            long down) {

        static FiguresView of(AgentFigures figures) {
            var totals = figures.totals();
            var counts = totals.counts();
            var agent = totals.agent();
            return new FiguresView(
                    agent == null ? null : agent.hex(),
                    agent == null ? null : figures.name(),
                    counts.runs(),
                    counts.answered(),
                    counts.refused(),
                    counts.failed(),
                    counts.stopped(),
                    counts.open(),
                    totals.tokens(),
                    totals.cost(),
                    totals.p50(),
                    totals.p95(),
                    figures.thumbs().up(),
                    figures.thumbs().down());
        }
    }
}
