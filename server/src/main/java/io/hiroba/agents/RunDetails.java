package io.hiroba.agents;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Users;
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
    private final RunPlaces places;

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
     */
    record Detail(String caller, String question) {}

    Detail of(Caller viewer, AgentRun run) {
        return of(viewer, List.of(run)).getOrDefault(run.id(), new Detail("", ""));
    }

    /** By the ids of the runs, which {@code viewer} may see. */
    Map<Long, Detail> of(Caller viewer, List<AgentRun> runs) {
        return db.read(reads -> {
            var callers = users.find(
                    reads, runs.stream().map(AgentRun::caller).distinct().toList());
            return runs.stream()
                    .collect(Collectors.toMap(
                            AgentRun::id,
                            run -> new Detail(
                                    Optional.ofNullable(callers.get(run.caller()))
                                            .map(profile ->
                                                    profile.user().nickname().value())
                                            .orElse(""),
                                    places.text(reads, viewer.user(), run)
                                            .map(RunDetails::beginning)
                                            .orElse(""))));
        });
    }

    private static String beginning(String text) {
        var line = text.replaceAll("\\s+", " ").strip();
        var cut = Characters.atMost(line, MAX_BEGINNING);
        return cut.length() < line.length() ? cut + "…" : line;
    }
}
