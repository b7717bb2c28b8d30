package io.hiroba.bench.saga;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import javax.sql.DataSource;

/** The same three steps as a workflow of DBOS Transact, on the same PostgreSQL. */
final class DbosSagas implements AutoCloseable {

    private final DBOS dbos;
    private final Order orders;

    /** The workflow interface that DBOS requires. */
    public interface Order {
        String run(String payload);
    }

    /** Executes a step. */
    interface Work {
        String run(int step);
    }

    private record Steps(DBOS dbos, Work work) implements Order {

        @Override
        @Workflow(name = "order")
        public String run(String payload) {
            var last = "";
            for (int step = 0; step < 3; step++) {
                int index = step;
                last = dbos.runStep(() -> work.run(index), "step " + step);
            }
            return last;
        }
    }

    DbosSagas(DataSource dataSource, Work work) {
        dbos = new DBOS(DBOSConfig.defaults("bench").withDataSource(dataSource));
        orders = dbos.registerProxy(Order.class, new Steps(dbos, work));
        dbos.launch();
    }

    void saga() {
        dbos.startWorkflow(() -> orders.run("{\"order\": 7}")).getResult();
    }

    @Override
    public void close() {
        dbos.close();
    }
}
