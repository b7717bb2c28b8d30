package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.accounts.Users;
import io.hiroba.agents.Agent.Wake;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.markdown.Characters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads who called runs and the beginnings of what they asked, as far as whoever looks may read that. */
final class RunDetails {

    private static final int MAX_BEGINNING = 160;

    private final Db db;
    private final Users users;
    private final AgentStepStore steps = new AgentStepStore();
    private final RunPlaces places;
    private final AgentStore agents = new AgentStore();

    RunDetails(Db db, Users users, RunPlaces places) {
        this.db = db;
        this.users = users;
        this.places = places;
    }

    /**
     * The caller and the question of a run.
     *
     * @param caller their nickname; empty if they are gone
     * @param question its beginning; empty if it is not to be seen
     * @param saga the id of the saga whose step asks; empty if none does
     * @param cause what failed, for whoever may change the agent: a provider's sentence may quote what the agent was told
     */
    record Detail(String caller, String question, String saga, String cause) {

        /** The page that shows the question: that of the saga, if a step asks. */
        String questionPath(AgentRun run) {
            return saga.isEmpty() ? run.questionPath() : "/sagas/" + saga;
        }
    }

    Detail of(Caller viewer, AgentRun run) {
        return of(viewer, List.of(run)).getOrDefault(run.id(), new Detail("", "", "", ""));
    }

    /** By the ids of the runs, which {@code viewer} may see. */
    Map<Long, Detail> of(Caller viewer, List<AgentRun> runs) {
        return db.read(reads -> {
            var callers = users.find(
                    reads, runs.stream().map(AgentRun::caller).distinct().toList());
            var changeable = runs.stream()
                    .map(AgentRun::agent)
                    .distinct()
                    .filter(agent -> agents.find(reads, agent)
                            .filter(found -> found.isChangeableBy(viewer))
                            .isPresent())
                    .collect(Collectors.toSet());
            var questions = places.texts(
                    reads,
                    viewer.user(),
                    runs.stream().filter(run -> viewer.allows(scope(run))).toList());
            var asking = runs.stream()
                    .filter(run -> run.wokenBy() == Wake.STEP)
                    .map(AgentRun::id)
                    .toList();
            var sagas = asking.isEmpty() ? Map.<Long, String>of() : steps.sagas(reads, asking);
            return runs.stream().collect(Collectors.toMap(AgentRun::id, run -> {
                var caller = Optional.ofNullable(callers.get(run.caller()))
                        .map(profile -> profile.user().nickname().value());
                var question = Optional.ofNullable(questions.get(run.id())).map(RunDetails::beginning);
                boolean showsCause = changeable.contains(run.agent()) && (run.thread() == null || question.isPresent());
                return new Detail(
                        caller.orElse(""),
                        question.orElse(""),
                        sagas.getOrDefault(run.id(), ""),
                        showsCause ? run.cause() : "");
            }));
        });
    }

    /** The scope that a token needs to be told the question. */
    private static TokenScope scope(AgentRun run) {
        return run.thread() != null
                ? TokenScope.MESSAGES_READ
                : run.wokenBy() == Wake.STEP ? TokenScope.SAGAS_READ : TokenScope.POSTS_READ;
    }

    private static String beginning(String text) {
        var line = text.replaceAll("\\s+", " ").strip();
        var cut = Characters.atMost(line, MAX_BEGINNING);
        return cut.length() < line.length() ? cut + "…" : line;
    }
}
