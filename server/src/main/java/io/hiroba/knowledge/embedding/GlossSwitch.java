package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingConfig.Kind;
import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.gloss.Glosses;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the space of the configured model. Where that is the local one and the dictionaries are not here, it is the
 * one without glosses, which replaces none that has them; and as soon as they are here, the one with glosses.
 */
final class GlossSwitch {

    private static final Logger log = LoggerFactory.getLogger(GlossSwitch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final EmbeddingSpaces spaces;
    private final EmbeddingConfig config;
    private final BooleanSupplier hasDictionaries;
    private volatile boolean prepared;

    GlossSwitch(EmbeddingSpaces spaces, EmbeddingConfig config) {
        this(spaces, config, Glosses::areInstalled);
    }

    GlossSwitch(EmbeddingSpaces spaces, EmbeddingConfig config, BooleanSupplier hasDictionaries) {
        this.spaces = spaces;
        this.config = config;
        this.hasDictionaries = hasDictionaries;
    }

    static boolean areGlossesWanted(EmbeddingConfig config) {
        return config.provider() == Kind.LOCAL && config.glosses();
    }

    void start(Model model, ResourceStack resources) {
        if (!areGlossesWanted(config) || hasDictionaries.getAsBoolean()) {
            spaces.prepare(model);
            return;
        }
        log.warn(
                "Japanese and Chinese are found by their words alone: the dictionaries are not in {}, where a start that"
                        + " reaches the Debian archive by apt puts them",
                Glosses.folder());
        spaces.prepareUnless(GlossedProvider.MODEL, model);
        resources.add(WorkLoop.every(INTERVAL, "dictionaries", this::prepareIfInstalled));
    }

    void prepareIfInstalled() {
        if (!prepared && hasDictionaries.getAsBoolean()) {
            log.info("The dictionaries are here: vectors are made with their glosses now");
            spaces.prepare(GlossedProvider.MODEL);
            prepared = true;
        }
    }

    static SystemCheck systemCheck() {
        boolean lacks = !Glosses.areInstalled();
        return SystemCheck.of(
                        Group.NODE,
                        "dictionaries",
                        Text.of("knowledge.system.dictionaries"),
                        Text.of(lacks ? "knowledge.system.dictionaries-missing" : "knowledge.system.dictionaries-fine"))
                .adviseIf(
                        lacks,
                        Text.of(
                                "knowledge.system.dictionaries-advice",
                                "folder",
                                Glosses.folder().toString()));
    }
}
