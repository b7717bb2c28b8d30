package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.AiUsage.DayOfModel;
import io.hiroba.knowledge.embedding.InstalledModels.InstalledModel;
import io.hiroba.knowledge.embedding.ModelUsage.ModelUse;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WakeSignal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/** The module of embeddings: providers, spaces, the workers of the queue and its dead letters. */
public final class EmbeddingModule implements FeatureModule {

    private static final int MAX_COUNTED = 10_000;

    private final Platform platform;
    private final EmbeddingConfig config;
    private final InstalledModels models;
    private final WakeSignal queued = new WakeSignal();
    private final ModelUsage usage;
    private final EmbeddingProviders providers;
    private final EmbeddingSpaces spaces;
    private final EmbeddingWorker worker;
    private final DeadLetters deadLetters;
    private final QueryEmbeddings queries;

    public EmbeddingModule(Platform platform, EmbeddingConfig config) {
        this.platform = platform;
        this.config = config;
        models = new InstalledModels(platform.data());
        usage = new ModelUsage(platform.db(), platform.clock());
        providers = new ConfiguredProviders(config, models, platform.clock(), usage);
        spaces = new EmbeddingSpaces(platform.db());
        worker = new EmbeddingWorker(
                        spaces, platform.ids(), platform.events(), providers, config, queued, platform.meters())
                .traced(platform.tracing());
        deadLetters = new DeadLetters(platform.db(), queued);
        queries = new QueryEmbeddings(spaces, providers, platform.meters());
    }

    /** Raised when chunks were queued. */
    public WakeSignal queued() {
        return queued;
    }

    /** Counts an answer of a chat model, with the tokens that its service reported. */
    public void countAnswer(String model, long tokensIn, long tokensOut) {
        usage.called(ModelUse.CHAT, model);
        usage.tokens(ModelUse.CHAT, model, tokensIn, tokensOut);
    }

    /** The use of all models from that day on, the latest day first; without a module, since it is asked for before there is one. */
    public static List<DayOfModel> usageSince(Db db, LocalDate day) {
        return db.read(reads -> new ModelUsageStore().since(reads, day));
    }

    public EmbeddingSpaces spaces() {
        return spaces;
    }

    public QueryEmbeddings queries() {
        return queries;
    }

    public DeadLetters deadLetters() {
        return deadLetters;
    }

    /**
     * Scores pairs of a query and a passage from 0 to 1 by an installed model, which is loaded with the first pair and
     * closed with the node.
     *
     * @throws StartException if it is not installed
     */
    public ToDoubleBiFunction<String, String> crossEncoder(String name) {
        return platform.resources()
                .add(new CrossEncoder(new LoadedModel(models.require(name, ModelSettings.Kind.RERANKER))));
    }

    @Override
    public List<Routes> routes() {
        return List.of(new DeadLetterRoutes(deadLetters, platform.cursors()), new SpaceRoutes(platform.db(), worker));
    }

    @Override
    public List<SystemCheck> systemChecks() {
        long waiting = platform.db().read(reads -> new EmbeddingQueueStore().waiting(reads, MAX_COUNTED + 1));
        var names = models.list().stream().map(InstalledModel::name).toList();
        var checks = new ArrayList<SystemCheck>();
        if (GlossSwitch.areGlossesWanted(config)) {
            checks.add(GlossSwitch.systemCheck());
        }
        checks.add(SystemCheck.of(
                        Group.WORK,
                        "embedding-queue",
                        Text.of("knowledge.system.embedding"),
                        SystemCheck.counted(waiting, MAX_COUNTED))
                .adviseIf(waiting > MAX_COUNTED, Text.of("knowledge.system.embedding-advice")));
        checks.add(SystemCheck.of(
                Group.NODE,
                "installed-models",
                Text.of("knowledge.system.models"),
                names.isEmpty() ? Text.of("knowledge.system.no-models") : Text.verbatim(String.join(", ", names))));
        return checks;
    }

    @Override
    public void start(ResourceStack resources) {
        new GlossSwitch(spaces, config).start(config.configuredModel(models), resources);
        resources.add(usage.start());
        resources.add(providers);
        resources.add(worker.start());
    }
}
