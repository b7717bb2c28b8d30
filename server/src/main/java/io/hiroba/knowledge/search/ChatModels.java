package io.hiroba.knowledge.search;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The configured chat models, of which the one that admins chose answers. */
public final class ChatModels implements AutoCloseable {

    private final Db db;
    private final InstantSource clock;
    private final AuditLog audit;
    private final ChatConfig config;
    private final Map<String, ChatModel> models = new LinkedHashMap<>();
    private final ChatModelStore store = new ChatModelStore();

    /** Is told what each answer took. */
    @FunctionalInterface
    interface AnswerListener {
        void answered(String model, long tokensIn, long tokensOut);
    }

    ChatModels(Db db, InstantSource clock, ChatConfig config, AnswerListener listener) {
        this.db = db;
        this.clock = clock;
        this.audit = new AuditLog(db);
        this.config = config;
        config.byName()
                .forEach((name, each) ->
                        models.put(name, new ChatModel(each, (in, out) -> listener.answered(each.model(), in, out))));
    }

    /**
     * A model that can be chosen.
     *
     * @param model the name that its service knows it by
     * @param host where the service answers
     */
    public record ModelChoice(String name, ChatConfig.Provider provider, String model, String host, boolean isChosen) {}

    /** Every configured model, for admins. */
    public List<ModelChoice> list(Caller caller) {
        caller.requireAdmin();
        var chosen = db.read(this::chosenName);
        return config.byName().entrySet().stream()
                .map(entry -> new ModelChoice(
                        entry.getKey(),
                        entry.getValue().provider(),
                        entry.getValue().model(),
                        host(entry.getValue().baseUrl()),
                        chosen.filter(entry.getKey()::equals).isPresent()))
                .toList();
    }

    private static String host(String url) {
        return Optional.ofNullable(URI.create(url).getHost()).orElse("");
    }

    /** Lets the model of this name answer from now on, on every node. */
    public void choose(Caller caller, String name) {
        caller.requireAdmin();
        if (!models.containsKey(name)) {
            throw KnowledgeProblem.invalid("name", Text.of("knowledge.field.unknown"));
        }
        db.useTransaction(tx -> {
            var before = chosenName(tx);
            store.choose(tx, name, clock.instant());
            var changes = Changes.NONE.with("name", before.orElse(null), name);
            audit.record(
                    tx, caller, AuditLog.Action.CHAT_MODEL_CHOSEN, Target.of(TargetKind.AI_MODEL, name, name), changes);
        });
    }

    /** The model that answers; empty if none is configured. */
    Optional<ChatModel> chosen() {
        if (models.size() <= 1) {
            return models.values().stream().findFirst();
        }
        return db.read(this::chosenName).map(models::get);
    }

    /** A choice that is not configured any more, or not on this node, counts for nothing. */
    private Optional<String> chosenName(Reads reads) {
        return store.chosen(reads)
                .filter(models::containsKey)
                .or(() -> models.keySet().stream().findFirst());
    }

    @Override
    public void close() {
        models.values().forEach(ChatModel::close);
    }
}
