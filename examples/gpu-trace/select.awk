# Selects the requests that got a GPU. Input: a shard of the trace, with its header line.
# Output, tab-separated: wanted GPU model, day, requests, seconds waited, GPU milli seconds held.
BEGIN { FS = ","; OFS = "\t" }
NR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    split("num_gpu gpu_milli gpu_spec creation_time deletion_time scheduled_time", needed, " ")
    for (i in needed) if (!(needed[i] in column)) {
        print "select.awk: the trace has no column " needed[i] > "/dev/stderr"
        exit 1
    }
    next
}
{
    wanted = $column["num_gpu"] * $column["gpu_milli"]
    created = $column["creation_time"]
    scheduled = $column["scheduled_time"]
    if (wanted == 0 || scheduled == "") next
    model = $column["gpu_spec"] == "" ? "any" : $column["gpu_spec"]
    held = sprintf("%.0f", wanted * ($column["deletion_time"] - scheduled))
    print model, sprintf("%03d", created / 86400), 1, scheduled - created, held
}
