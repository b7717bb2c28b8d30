package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.TokenScope;
import io.hiroba.platform.search.SearchSource;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Passage;
import io.javalin.http.Context;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sagas in the one search, for those who may see sagas: by id, correlation id, workflow and the words of their payloads. */
final class SagaSearchSource implements SearchSource {

    private static final int SNIPPET_LENGTH = 200;

    private final SagaQueries queries;
    private final SagaRoles roles;

    SagaSearchSource(SagaQueries queries, SagaRoles roles) {
        this.queries = queries;
        this.roles = roles;
    }

    @Override
    public String type() {
        return "sagas";
    }

    @Override
    public String icon() {
        return "flow";
    }

    @Override
    public int order() {
        return 60;
    }

    @Override
    public Optional<Finder> finder(Context ctx) {
        return Caller.find(ctx)
                .filter(caller -> caller.allows(TokenScope.SAGAS_READ))
                .map(caller -> caller.within(TokenScope.SAGAS_READ))
                .filter(caller -> roles.cached(caller).covers(SagaRole.AUDITOR))
                .map(caller -> (typed, limit) -> find(caller, typed, limit));
    }

    private List<SearchResult> find(Caller caller, String typed, int limit) {
        var words = SearchWords.of(typed);
        return queries.search(caller, typed, words, limit).stream()
                .map(saga -> new SearchResult(
                        saga.workflowName(),
                        Passage.containing(text(saga), words.words(), SNIPPET_LENGTH),
                        "/sagas/" + saga.id(),
                        saga.createdAt()))
                .toList();
    }

    private static String text(Saga saga) {
        var payload = saga.payload();
        return Stream.of(
                        saga.id().toString(),
                        saga.correlationId(),
                        saga.workflowName(),
                        payload == null || payload.isNull() ? null : payload.toString())
                .filter(Objects::nonNull)
                .collect(Collectors.joining(" · "));
    }
}
