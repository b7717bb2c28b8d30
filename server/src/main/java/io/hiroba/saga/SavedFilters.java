package io.hiroba.saga;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Text;
import java.util.List;

/** The filters of the list of sagas that somebody has given names, for themselves. */
public final class SavedFilters {

    private static final int MAX = 50;
    private static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_QUERY_LENGTH = 4000;

    private final Db db;
    private final SagaRoles roles;
    private final SavedFilterStore store = new SavedFilterStore();

    SavedFilters(Db db, SagaRoles roles) {
        this.db = db;
        this.roles = roles;
    }

    /**
     * A filter with its name.
     *
     * @param query as it stands in the address of the list
     */
    public record SavedFilter(String name, String query) {}

    /** One's own, by name. */
    public List<SavedFilter> list(Caller caller) {
        roles.requireAuditor(caller);
        return db.read(reads -> store.list(reads, caller.user(), MAX));
    }

    /** Saves a filter, in the place of one's own of this name. */
    public void save(Caller caller, SavedFilter filter) {
        roles.requireAuditor(caller);
        var name = filter.name();
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH || !StorableJson.isStorable(name)) {
            throw SagaProblem.invalid("name", Text.of("saga.field.length", "max", MAX_NAME_LENGTH));
        }
        if (filter.query().isEmpty() || filter.query().length() > MAX_QUERY_LENGTH) {
            throw SagaProblem.invalid("name", Text.of("saga.field.saved-filter"));
        }
        if (!db.inTransaction(tx -> store.save(tx, caller.user(), filter, MAX))) {
            throw SagaProblem.invalid("name", Text.of("saga.field.saved-filters", "max", MAX));
        }
    }

    public void delete(Caller caller, String name) {
        roles.requireAuditor(caller);
        if (StorableJson.isStorable(name)) {
            db.useTransaction(tx -> store.delete(tx, caller.user(), name));
        }
    }
}
