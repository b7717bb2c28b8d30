package io.hiroba.agents;

import io.hiroba.accounts.AiActions;
import io.hiroba.accounts.AiModel;
import io.hiroba.agents.AgentBudgetStore.Budget;
import io.hiroba.agents.AgentRun.Usage;
import io.hiroba.agents.model.ModelRequest;
import io.hiroba.platform.db.Db;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A reservation of what a call of a model is likely to take at most, in the budgets of a day, before it is made; replaced by what it
 * took, and never by more, whatever its provider reports.
 */
final class ModelReservation {

    private static final BigDecimal MILLION = new BigDecimal(1_000_000);

    private final Db db;
    private final AiActions log;
    private final AgentRun run;
    private final AiModel asked;
    private final List<Budget> budgets;
    private final LocalDate day;
    private final Usage most;
    private final AgentRunStore runs = new AgentRunStore();
    private final AgentBudgetStore store = new AgentBudgetStore();

    /** @param models the one that is asked, and those that may stand in for it: the dearest one is reserved for */
    ModelReservation(
            Db db,
            AiActions log,
            AgentRun run,
            List<AiModel> models,
            List<Budget> budgets,
            Instant now,
            ModelRequest request) {
        this.db = db;
        this.log = log;
        this.run = run;
        this.asked = models.getFirst();
        this.budgets = List.copyOf(budgets);
        this.day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        this.most = most(models, request);
    }

    /** What a call is likely to take at most, whichever of the models answers it. */
    static Usage most(List<AiModel> models, ModelRequest request) {
        return models.stream()
                .map(model -> usage(model, request.estimatedTokens(), request.maxTokens()))
                .max(Comparator.comparing(Usage::cost))
                .orElseThrow();
    }

    private static Usage usage(AiModel model, long in, long out) {
        var cost = model.inputCost()
                .multiply(BigDecimal.valueOf(in))
                .add(model.outputCost().multiply(BigDecimal.valueOf(out)))
                .divide(MILLION);
        return new Usage(1, in, out, cost);
    }

    /** Rolls a reservation back that is over a budget. */
    private static final class OverBudget extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Reserves; false if a budget does not allow it. */
    boolean reserve() {
        try {
            db.useTransaction(tx -> {
                if (!store.reserve(tx, day, budgets, tokens(most), most.cost())) {
                    throw new OverBudget();
                }
            });
            // Before the model is paid for.
            db.useTransaction(store::flush);
            return true;
        } catch (OverBudget e) {
            return false;
        }
    }

    /** Settles a call by what the provider of the model that answered reports, as far as that can be. */
    void settle(AiModel answering, long reportedIn, long reportedOut, ObjectNode note) {
        long in = Math.clamp(reportedIn, 0, most.tokensIn());
        long out = Math.clamp(reportedOut, 0, most.tokensOut());
        if (in != reportedIn || out != reportedOut) {
            note.put("reportedIn", reportedIn).put("reportedOut", reportedOut);
        }
        var used = usage(answering, in, out);
        note.put("tokensIn", in).put("tokensOut", out).put("cost", used.cost().toPlainString());
        settle(answering, used, note);
    }

    /** What became of a call, for those who watch many. */
    private static String result(ObjectNode note) {
        var failure = note.path("failure").asString("");
        return switch (failure) {
            case "" -> "answered";
            case "stopped", "timeout", "interrupted" -> failure;
            default -> "failed";
        };
    }

    /**
     * Settles a call that was broken off before anything was reported: what was asked is paid for, with what was received.
     *
     * @param received tokens of the answer
     */
    void settleUnreported(long received, ObjectNode note) {
        settle(asked, most.tokensIn(), received, note);
    }

    /** Gives back what was reserved for a call that nothing came of. */
    void release(ObjectNode note) {
        settle(asked, new Usage(1, 0, 0, BigDecimal.ZERO), note);
    }

    private void settle(AiModel of, Usage used, ObjectNode note) {
        db.useTransaction(tx -> {
            runs.addUsage(tx, run.id(), used);
            log.append(tx, Librarian.member(run.agent()), note);
            // The rows that all runs share come last.
            store.settle(
                    tx, day, budgets, tokens(used) - tokens(most), used.cost().subtract(most.cost()));
        });
        AgentMetrics.called(
                of, used, result(note), Duration.ofMillis(note.path("ms").asLong(0)));
    }

    private static long tokens(Usage usage) {
        return usage.tokensIn() + usage.tokensOut();
    }
}
