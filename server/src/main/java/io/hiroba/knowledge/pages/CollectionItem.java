package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.User;
import io.hiroba.knowledge.CollectionWatches.Watch;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeCollections.Member;
import io.hiroba.knowledge.SharedProjects.ProjectShare;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.web.Avatar;
import org.jspecify.annotations.Nullable;

/**
 * A collection in a list or on its page.
 *
 * @param visibility as in the API
 * @param access who may read it, in words
 * @param role the reader's, or owner
 */
public record CollectionItem(
        String id,
        String path,
        String name,
        String description,
        String visibility,
        Text access,
        String role,
        boolean mayEdit,
        boolean mayManage,
        boolean mayDelete) {

    static CollectionItem of(Collection collection, Caller caller) {
        return new CollectionItem(
                collection.id().hex(),
                KnowledgePaths.collection(collection.id()),
                collection.name(),
                collection.description(),
                collection.visibility().text(),
                SourceItem.access(collection.visibility()),
                collection.owner().equals(caller.user())
                        ? "owner"
                        : collection.role().text(),
                collection.mayEdit(),
                collection.mayManage(),
                collection.mayDelete(caller));
    }

    /** A member of a collection, or somebody to choose. */
    public record Person(String id, String nickname, Avatar avatar, String role) {

        static Person of(Member member) {
            var id = member.user().hex();
            return new Person(
                    id,
                    member.nickname(),
                    Avatar.of(id, member.nickname(), member.avatar()),
                    member.role().text());
        }

        static Person of(User user) {
            var id = user.id().hex();
            var nickname = user.nickname().value();
            return new Person(id, nickname, Avatar.of(id, nickname, user.avatar()), "");
        }
    }

    /** A project with whose members a collection is shared, or one to choose. */
    public record Project(String id, String name, String role) {

        static Project of(ProjectShare project) {
            return new Project(
                    Ids.hex(project.id()), project.name(), project.role().text());
        }
    }

    /**
     * A watched place.
     *
     * @param checked when it was last looked at; empty before the first look
     * @param problem why that failed, if it did
     */
    public record Place(
            String id,
            String location,
            Text counted,
            String checked,
            @Nullable Text problem) {

        static Place of(Watch watch, Reader reader) {
            return new Place(
                    Ids.hex(watch.id()),
                    watch.location(),
                    Text.of("knowledge.watches.sources", "count", watch.sources()),
                    watch.checkedAt() == null ? "" : reader.ago(watch.checkedAt()),
                    watch.problem());
        }
    }
}
