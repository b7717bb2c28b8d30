package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.ResourceType;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The columns that only resources of one type have. */
public sealed interface ResourceDetails {

    ResourceType type();

    record Issue(@Nullable Long iid, String workItemType) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.ISSUE;
        }
    }

    record MergeRequest(
            @Nullable Long iid, boolean draft, @Nullable String mergeStatus) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.MERGE_REQUEST;
        }
    }

    /**
     * A comment.
     *
     * @param target the resource that it is on; null if that is not mirrored
     */
    record Note(@Nullable ResourceId target) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.NOTE;
        }
    }

    record Commit(String sha, @Nullable String ref) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.COMMIT;
        }
    }

    record SshKey(
            @Nullable UserId owner,
            String publicKey,
            String fingerprint,
            @Nullable Instant expiresAt) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.SSH_KEY;
        }
    }

    record Post(@Nullable Long postId) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.POST;
        }
    }

    record Saga(@Nullable UUID sagaId) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.SAGA;
        }
    }

    record KnowledgeSource(@Nullable Long sourceId) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.KNOWLEDGE_SOURCE;
        }
    }

    record RecordRow(@Nullable Long projectId, @Nullable UUID rowId) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.RECORD;
        }
    }

    record Group(NamespaceId subject) implements ResourceDetails {
        @Override
        public ResourceType type() {
            return ResourceType.NAMESPACE;
        }
    }
}
