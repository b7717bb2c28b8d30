package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.AgentRunStore.NewRun;
import io.hiroba.agents.AgentStepStore.StepAnswer;
import io.hiroba.agents.AgentStepStore.StepQuestion;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The step of sagas that asks an agent. The question is a run of its own, found again by the key of the step: whichever node dies, the
 * saga's or the agent's, there is one run and one answer. The step waits for it; the saga is claimed by another node if this one dies.
 */
final class AgentSteps {

    private static final int MAX_PROMPT = 20_000;
    private static final Duration FIRST_POLL = Duration.ofMillis(20);
    private static final Duration MAX_POLL = Duration.ofSeconds(1);

    private final Db db;
    private final IdGenerator ids;
    private final Agents agents;
    private final WakeSignal due;
    private final AgentRunStore runs = new AgentRunStore();
    private final AgentStepStore store = new AgentStepStore();
    private Function<UUID, Optional<UserId>> initiators = saga -> Optional.empty();

    AgentSteps(Db db, IdGenerator ids, Agents agents, WakeSignal due) {
        this.db = db;
        this.ids = ids;
        this.agents = agents;
        this.due = due;
    }

    /** @param initiators finds who started a saga: the caller of its agents */
    void connect(Function<UUID, Optional<UserId>> initiators) {
        this.initiators = initiators;
    }

    LocalSagaStep step() {
        return new LocalSagaStep("hiroba.agents", "ask", this::ask);
    }

    private JsonNode ask(LocalSagaStep.Call call) {
        // Before the transaction: it takes a connection of its own.
        var caller = initiators.apply(call.saga());
        db.useTransaction(tx -> {
            store.lock(tx, call.key());
            if (store.answer(tx, call.key()).isEmpty()) {
                begin(tx, call, caller.orElseThrow(() -> refused("agents.step.nobody")));
                tx.afterCommit(due::raise);
            }
        });
        return await(call.key());
    }

    private void begin(Tx tx, LocalSagaStep.Call call, UserId caller) {
        var input = call.input();
        var prompt = text(input.path("prompt")).replace("\u0000", "");
        if (prompt.isBlank() || prompt.length() > MAX_PROMPT) {
            throw new LocalSagaStep.Refusal(Text.of("agents.step.prompt", "max", MAX_PROMPT));
        }
        var nickname = input.path("nickname").asString("");
        var named = usable(agents.named(tx, nickname), caller);
        if (named.size() != 1) {
            throw new LocalSagaStep.Refusal(Text.of("agents.step.no-agent", "name", nickname));
        }
        var agent = named.getFirst();
        if (!agent.enabled() || !agent.wake().contains(Wake.STEP)) {
            throw new LocalSagaStep.Refusal(Text.of("agents.step.not-woken", "name", nickname));
        }
        long run = ids.next();
        runs.add(
                tx,
                List.of(new NewRun(
                        run,
                        agent.id(),
                        new PostId(run),
                        null,
                        caller,
                        Wake.STEP,
                        0,
                        agent.allows(caller) ? null : Reason.CALLER)));
        store.insert(tx, run, call.key(), new StepQuestion(prompt, AnswerForm.of(input.path("answer"))));
    }

    /** Agents of the admins; where there are none, those of the caller. Names need not be unique, so nobody takes over another's steps. */
    private static List<Agent> usable(List<Agent> named, UserId caller) {
        var ofAdmins = named.stream().filter(each -> each.owner() == null).toList();
        return ofAdmins.isEmpty()
                ? named.stream().filter(each -> caller.equals(each.owner())).toList()
                : ofAdmins;
    }

    /** A text as it is, anything else as JSON. */
    private static String text(JsonNode value) {
        return value.isString() ? value.stringValue() : value.isMissingNode() ? "" : value.toString();
    }

    private JsonNode await(String key) {
        var poll = FIRST_POLL;
        while (true) {
            var found = db.read(reads -> store.answer(reads, key)).orElseThrow(() -> refused("agents.step.gone"));
            if (found.state().hasEnded()) {
                return answered(found);
            }
            try {
                Thread.sleep(poll);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while an agent thinks", e);
            }
            poll = poll.multipliedBy(2).compareTo(MAX_POLL) < 0 ? poll.multipliedBy(2) : MAX_POLL;
        }
    }

    private static JsonNode answered(StepAnswer found) {
        var answer = found.answer();
        if (found.state() == State.ANSWERED && answer != null) {
            return JsonMapper.shared().readTree(answer);
        }
        throw new LocalSagaStep.Refusal(reason(found.reason()));
    }

    private static Text reason(@Nullable Reason reason) {
        return reason == null ? Text.of("agents.state.stopped") : Text.of("agents.reason." + reason.code());
    }

    private static LocalSagaStep.Refusal refused(String key) {
        return new LocalSagaStep.Refusal(Text.of(key));
    }
}
