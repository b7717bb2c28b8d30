package io.hiroba.inbox.resources;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ResourceType;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What only resources of one type have. */
public sealed interface Details {

    ResourceType type();

    record Issue(@Nullable Long iid, String workItemType) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.ISSUE;
        }
    }

    record MergeRequest(
            @Nullable Long iid, boolean draft, @Nullable String mergeStatus) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.MERGE_REQUEST;
        }
    }

    /**
     * A comment.
     *
     * @param target what it is a comment on; none if that is nothing that is mirrored
     */
    record Note(@Nullable ResourceId target) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.NOTE;
        }
    }

    record Commit(String sha, @Nullable String ref) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.COMMIT;
        }
    }

    record SshKey(
            @Nullable UserId owner,
            String publicKey,
            String fingerprint,
            @Nullable Instant expiresAt) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.SSH_KEY;
        }
    }

    record Post(@Nullable Long postId) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.POST;
        }
    }

    record Saga(@Nullable UUID sagaId) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.SAGA;
        }
    }

    record KnowledgeSource(@Nullable Long sourceId) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.KNOWLEDGE_SOURCE;
        }
    }

    record RecordRow(@Nullable Long projectId, @Nullable UUID rowId) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.RECORD;
        }
    }

    record Group(NamespaceId subject) implements Details {
        @Override
        public ResourceType type() {
            return ResourceType.NAMESPACE;
        }
    }
}
