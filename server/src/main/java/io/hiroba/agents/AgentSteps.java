package io.hiroba.agents;

import io.hiroba.accounts.UserId;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.AgentRunStore.NewRun;
import io.hiroba.agents.AgentStepStore.OpenStep;
import io.hiroba.agents.AgentStepStore.StepAnswer;
import io.hiroba.agents.AgentStepStore.StepQuestion;
import io.hiroba.platform.config.Durations;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.LocalSagaStep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
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
    private static final int MAX_DATA = 20_000;
    private static final int BATCH = 500;
    private static final String PAUSED = "agents.step.paused";
    private static final Duration FIRST_POLL = Duration.ofMillis(20);
    private static final Duration MAX_POLL = Duration.ofSeconds(1);

    private final Db db;
    private final IdGenerator ids;
    private final Agents agents;
    private final WakeSignal due;
    private final AgentRunStore runs = new AgentRunStore();
    private final AgentStepStore store = new AgentStepStore();
    private final AgentPauseStore pauses = new AgentPauseStore();
    private Function<UUID, Optional<UserId>> initiators = saga -> Optional.empty();
    private BiFunction<Reads, Collection<String>, Set<String>> awaited = (reads, keys) -> Set.copyOf(keys);

    AgentSteps(Db db, IdGenerator ids, Agents agents, WakeSignal due) {
        this.db = db;
        this.ids = ids;
        this.agents = agents;
        this.due = due;
        agents.connectSteps((reads, run) ->
                store.key(reads, run).filter(key -> isAwaited(reads, key)).isPresent());
    }

    /**
     * Lets sagas ask.
     *
     * @param initiators finds who started a saga: the caller of its agents
     * @param awaited those of the keys of steps that their sagas wait for
     */
    void connect(
            Function<UUID, Optional<UserId>> initiators, BiFunction<Reads, Collection<String>, Set<String>> awaited) {
        this.initiators = initiators;
        this.awaited = awaited;
    }

    private boolean isAwaited(Reads reads, String key) {
        return awaited.apply(reads, List.of(key)).contains(key);
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
        return await(call);
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
        var data = text(input.path("data")).replace("\u0000", "");
        if (data.length() > MAX_DATA) {
            throw new LocalSagaStep.Refusal(Text.of("agents.step.data", "max", MAX_DATA));
        }
        var agent = named.getFirst();
        if (!agent.enabled() || !agent.wake().contains(Wake.STEP)) {
            throw new LocalSagaStep.Refusal(Text.of("agents.step.not-woken", "name", nickname));
        }
        if (pauses.isPaused(tx, agent.id())) {
            throw refused(PAUSED);
        }
        var form = AnswerForm.of(input.path("answer"));
        if (!form.isOneText() && isLibrarian(tx, agent)) {
            throw new LocalSagaStep.Refusal(Text.of("agents.step.librarian-form", "name", nickname));
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
        store.insert(tx, run, call.key(), new StepQuestion(prompt, data, form));
    }

    private boolean isLibrarian(Reads reads, Agent agent) {
        return agents.found(reads, agent.id())
                .map(found -> found.profile().user().aiModel())
                .filter(Agent.LIBRARIAN::equals)
                .isPresent();
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

    /** Waits for the run; one that the step does not wait for any longer is stopped. */
    private JsonNode await(LocalSagaStep.Call call) {
        var poll = FIRST_POLL;
        boolean isLate = false;
        while (true) {
            var found =
                    db.read(reads -> store.answer(reads, call.key())).orElseThrow(() -> refused("agents.step.gone"));
            if (found.state().hasEnded()) {
                return answered(found);
            }
            if (call.stopping().getAsBoolean()) {
                throw new LocalSagaStep.Left();
            }
            var over = isLate ? tooLong(call) : over(call, found);
            if (over.isPresent() && agents.withdraw(found.agent(), found.run())) {
                throw new LocalSagaStep.Refusal(over.get());
            }
            try {
                Thread.sleep(poll);
            } catch (InterruptedException e) {
                // The time of this attempt is over, and with it that of the step: no more than that is waited for.
                isLate = true;
            }
            poll = poll.multipliedBy(2).compareTo(MAX_POLL) < 0 ? poll.multipliedBy(2) : MAX_POLL;
        }
    }

    /** The reason why a step does not wait any longer, if it does not. */
    private Optional<Text> over(LocalSagaStep.Call call, StepAnswer found) {
        if (found.paused()) {
            return Optional.of(Text.of(PAUSED));
        }
        if (found.age().compareTo(call.timeout()) >= 0) {
            return tooLong(call);
        }
        return db.read(reads -> isAwaited(reads, call.key()))
                ? Optional.empty()
                : Optional.of(Text.of("agents.step.unwanted"));
    }

    private static Optional<Text> tooLong(LocalSagaStep.Call call) {
        return Optional.of(Text.of("agents.step.too-long", "time", Durations.text(call.timeout())));
    }

    /** Stops the runs of steps that their sagas do not wait for any more: the node that asked may have died. */
    void stopUnawaited() {
        var open = List.<OpenStep>of();
        do {
            long last = open.isEmpty() ? 0 : open.getLast().run();
            open = db.read(reads -> store.open(reads, last, BATCH));
            var keys = open.stream().map(OpenStep::key).toList();
            var wanted = keys.isEmpty() ? Set.<String>of() : db.read(reads -> awaited.apply(reads, keys));
            open.stream()
                    .filter(each -> !wanted.contains(each.key()))
                    .forEach(each -> agents.withdraw(each.agent(), each.run()));
        } while (open.size() == BATCH);
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
