package io.hiroba.knowledge.sessions;

import io.hiroba.knowledge.SourceWriter;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import java.util.List;

/** The module of chat sessions and their archiver. */
public final class ChatSessionsModule implements FeatureModule {

    private final Platform platform;
    private final ChatSessions sessions;
    private final SessionArchiver archiver;
    private final SessionCorrections corrections;

    public ChatSessionsModule(Platform platform, SourceWriter writer, ArchiveConfig config) {
        this.platform = platform;
        sessions = new ChatSessions(platform.db(), platform.ids(), platform.clock(), writer);
        archiver = new SessionArchiver(platform.db(), platform.clock(), writer, config, platform.meters());
        corrections = new SessionCorrections(platform.db(), writer, config.chunkTokens());
    }

    public ChatSessions sessions() {
        return sessions;
    }

    public SessionCorrections corrections() {
        return corrections;
    }

    public SessionArchiver archiver() {
        return archiver;
    }

    @Override
    public List<Routes> routes() {
        return List.of(new ChatSessionRoutes(sessions, archiver, platform.idempotency(), platform.cursors()));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(archiver.background());
    }
}
