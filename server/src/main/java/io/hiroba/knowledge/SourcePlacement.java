package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.Sources.Placement;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.problem.Problem.Kind;

/** Puts sources into collections and takes them out, and makes those in none public or private. */
final class SourcePlacement {

    private final SourceWriter writer;
    private final CollectionStore collections = new CollectionStore();

    SourcePlacement(SourceWriter writer) {
        this.writer = writer;
    }

    static void requireOwnContent(KnowledgeSource source) {
        if (source.type().isMirrored()) {
            throw new KnowledgeProblem(Kind.CONFLICT, "made-elsewhere");
        }
    }

    /** Refuses whoever may not add to the collection, if there is one; its members stay as they are until {@code tx} ends. */
    void requireEditor(Tx tx, Caller caller, Placement placement) {
        var target = placement.collection();
        if (target != null) {
            requireEditor(tx, caller, target);
        }
    }

    private void requireEditor(Tx tx, Caller caller, CollectionId target) {
        collections.share(tx, target);
        var collection = collections.find(tx, caller, target).orElseThrow(KnowledgeCollections::none);
        if (!collection.mayEdit()) {
            throw KnowledgeCollections.refused();
        }
    }

    /** Puts a source that is here already where it was added again; one that is in another collection stays there. */
    void place(Tx tx, KnowledgeSource known, Placement placement, boolean isFetched) {
        var target = placement.collection();
        var current = known.collection();
        if (current != null) {
            if (target != null && !current.id().equals(target)) {
                throw new KnowledgeProblem(Kind.CONFLICT, "in-other-collection", "name", current.name());
            }
        } else if (target != null) {
            requireOwnContent(known);
            writer.setCollection(tx, known.id(), target);
        } else if (isFetched) {
            writer.setPublic(tx, known.id(), placement.isPublic());
        }
    }

    /**
     * Moves a source. Only its owner shares it with others; editors of its collection may take it out.
     *
     * @param to the id of a collection; empty for none
     */
    void move(Tx tx, Caller caller, KnowledgeSource source, String to) {
        if (to.isEmpty()) {
            if (!source.mayRemove(caller)) {
                throw KnowledgeProblem.notYours();
            }
            if (source.collection() != null) {
                writer.setCollection(tx, source.id(), null);
            }
            return;
        }
        if (!caller.mayChange(source.owner())) {
            throw KnowledgeProblem.notYours();
        }
        requireOwnContent(source);
        var target = CollectionId.parse(to);
        requireEditor(tx, caller, target);
        writer.setCollection(tx, source.id(), target);
    }

    void setPublic(Tx tx, KnowledgeSource source, boolean isPublic) {
        if (source.collection() == null) {
            writer.setPublic(tx, source.id(), isPublic);
        } else if (isPublic) {
            throw new KnowledgeProblem(Kind.CONFLICT, "in-collection");
        }
    }
}
