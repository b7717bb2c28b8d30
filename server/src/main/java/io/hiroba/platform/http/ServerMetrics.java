package io.hiroba.platform.http;

import com.zaxxer.hikari.HikariDataSource;
import io.hiroba.platform.db.Db;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.List;

/** The metrics of the JVM and of the connection pool. */
final class ServerMetrics implements AutoCloseable {

    private final JvmGcMetrics garbage = new JvmGcMetrics();

    ServerMetrics(MeterRegistry meters, Db db) {
        List.of(
                        garbage,
                        new JvmMemoryMetrics(),
                        new JvmThreadMetrics(),
                        new ClassLoaderMetrics(),
                        new ProcessorMetrics(),
                        new UptimeMetrics())
                .forEach(metrics -> metrics.bindTo(meters));
        if (db.dataSource() instanceof HikariDataSource pool && pool.getMetricRegistry() == null) {
            pool.setMetricRegistry(meters);
        }
    }

    @Override
    public void close() {
        garbage.close();
    }
}
