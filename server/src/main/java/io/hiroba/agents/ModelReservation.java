package io.hiroba.agents;

import io.hiroba.accounts.AiActions;
import io.hiroba.accounts.AiModel;
import io.hiroba.agents.AgentBudgetStore.Budget;
import io.hiroba.agents.AgentRun.Usage;
import io.hiroba.agents.model.ModelMessage;
import io.hiroba.agents.model.ModelRequest;
import io.hiroba.platform.db.Db;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The most that a call of a model can take, reserved in the budgets of a day before it is made and replaced by what it took: never more
 * than that, whatever its provider reports.
 */
final class ModelReservation {

    private static final BigDecimal MILLION = new BigDecimal(1_000_000);

    private final Db db;
    private final AiActions log;
    private final AgentRun run;
    private final AiModel model;
    private final List<Budget> budgets;
    private final LocalDate day;
    private final Usage most;
    private final AgentRunStore runs = new AgentRunStore();
    private final AgentBudgetStore store = new AgentBudgetStore();

    ModelReservation(
            Db db,
            AiActions log,
            AgentRun run,
            AiModel model,
            List<Budget> budgets,
            Instant now,
            ModelRequest request) {
        this.db = db;
        this.log = log;
        this.run = run;
        this.model = model;
        this.budgets = List.copyOf(budgets);
        this.day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        this.most = usage(bytesOf(request), request.maxTokens());
    }

    private Usage usage(long in, long out) {
        var cost = model.inputCost()
                .multiply(BigDecimal.valueOf(in))
                .add(model.outputCost().multiply(BigDecimal.valueOf(out)))
                .divide(MILLION);
        return new Usage(1, in, out, cost);
    }

    /** No text has more tokens than bytes. */
    private static long bytesOf(ModelRequest request) {
        long bytes = bytes(request.system());
        for (var tool : request.tools()) {
            bytes += bytes(tool.name()) + bytes(tool.description()) + bytes(tool.inputSchema());
        }
        for (var message : request.messages()) {
            bytes += switch (message) {
                case ModelMessage.User user -> bytes(user.text());
                case ModelMessage.Assistant assistant ->
                    bytes(assistant.text())
                            + assistant.toolCalls().stream()
                                    .mapToLong(each -> bytes(each.tool()) + bytes(each.input()) + bytes(each.id()))
                                    .sum();
                case ModelMessage.ToolResults results ->
                    results.results().stream()
                            .mapToLong(each -> bytes(each.text()) + bytes(each.callId()))
                            .sum();
            };
        }
        return bytes;
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
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

    /** Settles a call by what its provider reports, as far as that can be. */
    void settle(long reportedIn, long reportedOut, ObjectNode note) {
        long in = Math.clamp(reportedIn, 0, most.tokensIn());
        long out = Math.clamp(reportedOut, 0, most.tokensOut());
        if (in != reportedIn || out != reportedOut) {
            note.put("reportedIn", reportedIn).put("reportedOut", reportedOut);
        }
        var used = usage(in, out);
        note.put("tokensIn", in).put("tokensOut", out).put("cost", used.cost().toPlainString());
        settle(used, note);
    }

    /** Settles a call that broke off; what it took is not told: all stays reserved if the model may have begun to answer. */
    void fail(boolean begun, ObjectNode note) {
        settle(begun ? new Usage(1, tokens(most), 0, most.cost()) : new Usage(1, 0, 0, BigDecimal.ZERO), note);
    }

    private void settle(Usage used, ObjectNode note) {
        db.useTransaction(tx -> {
            runs.addUsage(tx, run.id(), used);
            log.append(tx, Librarian.member(run.agent()), note);
            // The rows that all runs share come last.
            store.settle(
                    tx, day, budgets, tokens(used) - tokens(most), used.cost().subtract(most.cost()));
        });
    }

    private static long tokens(Usage usage) {
        return usage.tokensIn() + usage.tokensOut();
    }
}
